import type { CandidateExplanation } from "@ikg/client";
import { describe, expect, it } from "@jest/globals";
import { candidateBranches } from "./candidate.ts";

const version = (name: string) => ({ id: `id-${name}`, name, version: 2 });
const candidate = (name: string, outcome: CandidateExplanation["outcome"]): CandidateExplanation => ({
  policy: version(name),
  outcome,
  statements: 1,
  database_hits: 1,
});
const linesOf = (explanation: Parameters<typeof candidateBranches>[0]) =>
  candidateBranches(explanation, undefined, (_look, text) => text).map(({ text }) => text);

describe("the policies of an explanation", () => {
  it("say which one decided where several grant", () =>
    expect(
      linesOf({
        candidates: [candidate("may-fly", "granted"), candidate("captains", "granted")],
        granted_by: version("captains"),
      }),
    ).toEqual([
      "decided by captains (version 2)",
      "may-fly (version 2) grants",
      "captains (version 2) grants",
    ]));

  it("show a comparison below NOT with it", () => {
    const filter = {
      path: "policy.condition.filter.operands[0]",
      operator: "=",
      attribute: "$token.acr",
      value: "bronze",
      token_missing: false,
    };
    const belowOf = (shown: CandidateExplanation["filter"]) =>
      candidateBranches(
        { candidates: [{ ...candidate("may-fly", "filter_not_satisfied"), filter: shown }] },
        undefined,
        (_look, text) => text,
      ).flatMap(({ below = [] }) => below);
    expect(belowOf(filter)).toEqual([{ text: `${filter.path}: $token.acr = "bronze"` }]);
    expect(belowOf({ ...filter, negated: true })).toEqual([
      { text: `${filter.path}: NOT ($token.acr = "bronze")` },
    ]);
  });

  it("need no further line where one grants or none", () => {
    const granted = [candidate("may-fly", "granted"), candidate("captains", "unknown")];
    expect(linesOf({ candidates: granted, granted_by: version("may-fly") })).toHaveLength(2);
    expect(linesOf({ candidates: [candidate("captains", "filter_not_satisfied")] })).toHaveLength(1);
  });
});
