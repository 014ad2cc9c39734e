import { describe, expect, it } from "@jest/globals";
import type { ProjectSnapshot, StoredKbacPolicy } from "@ikg/catalog";
import type { Explain } from "./explain.ts";
import { pageTokens } from "./page-token.ts";
import { openSearchAction } from "./search-action.ts";

const policyOf = (...actions: string[]) =>
  ({ policy: { subjectType: "Person", resourceType: "Car", actions } }) as unknown as StoredKbacPolicy;

const snapshot = {
  project: { id: "project" },
  kbacPolicies: () => [policyOf("DRIVE", "SELL", "WASH")],
} as unknown as ProjectSnapshot;

const question = {
  subject: { type: "Person", id: "ann" },
  resource: { type: "Car", id: "kitt" },
  context: undefined,
  token: undefined,
} as unknown as Parameters<ReturnType<typeof openSearchAction>>[1];

describe("a search for actions", () => {
  it("decides nothing for a page token that it refuses", async () => {
    let decisions = 0;
    const decide = () => {
      decisions++;
      return Promise.reject(new Error("a decision that failed"));
    };
    const explain: Explain = () => Promise.resolve({ candidates: [], milliseconds: 0 });
    const search = openSearchAction(decide, explain, pageTokens(Buffer.alloc(32)));
    // A decision that nothing awaits would end the process when it fails.
    await expect(search(snapshot, question, { token: "x" }, { timeoutMs: 1_000 })).rejects.toMatchObject({
      code: "invalid_request",
    });
    expect(decisions).toBe(0);
  });
});

describe("explanations of a search for actions", () => {
  it("share one time limit", async () => {
    const limits: number[] = [];
    const explain: Explain = async (_snapshot, _evaluation, { timeoutMs }) => {
      limits.push(timeoutMs);
      await new Promise((resolve) => setTimeout(resolve, 20));
      return { candidates: [], milliseconds: 0 };
    };
    const search = openSearchAction(
      () => Promise.resolve({ decision: true }),
      explain,
      pageTokens(Buffer.alloc(32)),
    );
    await search(snapshot, question, undefined, { timeoutMs: 1000, explain: true });
    const [first = 0, second = 0, third = 0] = limits;
    expect([limits.length, first <= 1000, first - second > 15, second - third > 15]).toEqual([
      3,
      true,
      true,
      true,
    ]);
  });
});
