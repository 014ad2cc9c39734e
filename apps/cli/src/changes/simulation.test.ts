import { describe, expect, it } from "@jest/globals";
import type { IkgAdmin, Simulation } from "@ikg/client";
import { silentEnvironment } from "../../test/command-environment.ts";
import { runSimulation, simulationText } from "./simulation.ts";

const answer = (more: Partial<Simulation>): Simulation => ({
  complete: false,
  milliseconds: 1,
  questions: [],
  undetermined: [],
  ...more,
});

/** Answers one call after the other. */
const adminWith = (...answers: readonly Simulation[]): IkgAdmin => {
  const left = [...answers];
  const progress = async function* next() {
    yield left.shift();
  };
  return { simulations: { progress } } as unknown as IkgAdmin; // nothing else of it is used
};

describe("a simulation of several calls", () => {
  it("tells the queries of all of them, and which none reached", async () => {
    const rows = (query: number, name: string) => ({ query, name, complete: true, rows_before: query });
    const admin = adminWith(
      answer({ next: "on", queries: [rows(0, "a")] }),
      answer({ complete: true, queries: [rows(1, "b")] }),
    );
    const queries = ["a", "b", "c"].map((name) => ({ name }));
    const fields = { changes: [], queries } as unknown as Parameters<typeof runSimulation>[1];
    const found = await runSimulation(admin, fields, { budget: 200, environment: silentEnvironment() });
    expect(found.queries).toEqual([rows(0, "a"), rows(1, "b"), { query: 2, name: "c", complete: false }]);
  });
});

describe("the text of a simulation", () => {
  const plain = (_meaning: unknown, text: string): string => text;

  it("has question marks where a policy lacks its parameters", () => {
    const amount = (count: number) => ({ count, exact: true, examples: [] });
    const question = {
      subject_type: "Pilot",
      action: "FLY",
      resource_type: "Aircraft",
      gained: amount(2),
      lost: amount(0),
      subjects: { examined: 1, of: 1 },
      method: "scan" as const,
    };
    const unknown = { questions: [question], undetermined: [{ name: "may-fly", parameters: ["min_hours"] }] };
    expect(simulationText(answer(unknown), plain, undefined)).toMatch(/\nPilot +FLY +Aircraft +2\? +\?\n/);
    expect(simulationText(answer({ questions: [question] }), plain, undefined)).toMatch(/ 2 +0\n/);
  });

  it("has the rows of queries that only one state answers, and each reason of a refusal once", () => {
    const unprocessable = { code: "unprocessable" as const, errors: ["as.application: expected"] };
    const queries = [
      {
        query: 0,
        name: "ratings",
        complete: true,
        rows_before: 1,
        rows_after: 1,
        only_before: { count: 1, examples: [{ nodes: { pilot: "ann" } }] },
        only_after: { count: 1, examples: [{ nodes: {}, row: { nodes: { "pilot.external_id": "bob" } } }] },
      },
      { query: 1, name: "own", complete: true, refused_before: unprocessable, refused_after: unprocessable },
      {
        query: 2,
        name: "gone",
        complete: true,
        rows_before: 2,
        refused_after: { code: "not_found" as const },
      },
    ];
    expect(simulationText(answer({ complete: true, queries }), plain, undefined)).toBe(
      [
        "The changes affect no decision.",
        "",
        "QUERY    BEFORE  AFTER  ONLY BEFORE  ONLY AFTER",
        "ratings  1       1      1            1",
        "own      -       -      ?            ?",
        "gone     2       -      ?            ?",
        "",
        '+ ratings {"nodes":{"pilot.external_id":"bob"}}',
        '- ratings {"pilot":"ann"}',
        "own does not run: unprocessable: as.application: expected",
        "gone does not run after: not_found",
        "",
      ].join("\n"),
    );
  });
});
