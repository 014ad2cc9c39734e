import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import type { ProjectSnapshot } from "@ikg/catalog";
import { type Decisions, EvaluationsRequest, parse, Problem } from "@ikg/contracts";
import { type OnEntryFailure, openEvaluateBatch } from "./evaluate-batch.ts";
import type { ExplainableDecide } from "./with-explanation.ts";

const snapshot = {} as unknown as ProjectSnapshot; // nothing of it is read

/** Evaluates a batch of these entries; a resource is all that they have of their own. */
const evaluate = (
  decide: ExplainableDecide,
  semantic: string,
  resources: readonly string[],
  timeoutMs: number,
  onFailures?: OnEntryFailure,
) =>
  openEvaluateBatch(decide, onFailures)(
    snapshot,
    parse(EvaluationsRequest, {
      subject: { type: "Nurse", id: "n1" },
      action: { name: "READ" },
      evaluations: resources.map((id) => ({ resource: { type: "Chart", id } })),
      options: { evaluations_semantic: semantic },
    }),
    undefined,
    { timeoutMs },
  );

const tooSlow = new Problem("unavailable", { headers: { "Retry-After": "1" } });

const entryError = (status: number, message: string) => ({
  decision: false,
  context: { reason: message, error: { status, message } },
});

describe("a batch", () => {
  it("has one time limit for entries that are evaluated one after the other", async () => {
    const limits: number[] = [];
    const decide: ExplainableDecide = async (_snapshot, _evaluation, { timeoutMs }) => {
      limits.push(timeoutMs);
      if (timeoutMs <= 0) throw tooSlow;
      await wait(80);
      return { decision: false };
    };
    const answer = await evaluate(decide, "permit_on_first_permit", ["a", "b", "c", "d", "e"], 120);
    expect(limits).toHaveLength(5);
    expect(limits.filter((ms) => ms > 0).length).toBeLessThan(3);
    const { evaluations } = answer as Decisions; // it has entries
    expect([evaluations[0], evaluations[4]]).toEqual([
      { decision: false },
      entryError(503, "Service Unavailable"),
    ]);
  });

  it("reports entries that failed by no fault of the caller, with their causes, where others were evaluated", async () => {
    const cause = new TypeError("not a function");
    const outcomes: Record<string, Error> = { b: cause, c: tooSlow, d: new Problem("invalid_request") };
    const decide: ExplainableDecide = async (_snapshot, { resource }) => {
      const error = outcomes[resource.id ?? ""];
      if (error !== undefined) throw error;
      return { decision: true };
    };
    const reported: (readonly Problem[])[] = [];
    const answer = await evaluate(decide, "execute_all", ["a", "b", "c", "d"], 1_000, (failures) =>
      reported.push(failures),
    );
    expect(reported).toHaveLength(1);
    expect(reported[0]).toMatchObject([{ code: "internal", cause }, { code: "unavailable" }]);
    const { evaluations } = answer as Decisions; // it has entries
    expect(evaluations[1]).toEqual(entryError(500, "Internal Server Error"));
  });

  it("is 503 where its time ends before the first entry is evaluated", async () => {
    const decide: ExplainableDecide = () => Promise.reject(tooSlow);
    for (const semantic of ["execute_all", "deny_on_first_deny", "permit_on_first_permit"])
      await expect(evaluate(decide, semantic, ["a", "b"], 1_000)).rejects.toBe(tooSlow);
  });

  it("has the status of its own in each entry that was not evaluated", async () => {
    const decide: ExplainableDecide = async (_snapshot, { resource }) => {
      if (resource.id === "slow") throw tooSlow;
      if (resource.id === "broken") throw new Error("a detail that no caller sees");
      return { decision: true };
    };
    expect(await evaluate(decide, "execute_all", ["good", "slow", "broken"], 1_000)).toEqual({
      evaluations: [
        { decision: true },
        entryError(503, "Service Unavailable"),
        entryError(500, "Internal Server Error"),
      ],
    });
  });
});
