import { describe, expect, it } from "@jest/globals";
import { callSizes } from "../bounds/budget.ts";
import { compileKbac } from "../policy/compile.ts";

const compiled = (patterns: readonly string[]) =>
  compileKbac(
    JSON.stringify({
      meta: { policy_version: "2.0-kbac" },
      subject: { type: "Nurse" },
      actions: ["SIGN"],
      resource: { type: "Chart" },
      condition: {
        cypher: "MATCH (subject)-[:SIGNED]->(resource)",
        filter: {
          operator: "OR",
          operands: patterns.map((value) => ({ attribute: "$token.a", operator: "=~", value })),
        },
      },
    }),
  );

/** The sizes to which values of the request are limited; undefined: not at all. */
const limitOf = (patterns: readonly string[]) => {
  const policy = compiled(patterns);
  if (!policy.ok) throw new Error(policy.faults.join("; "));
  return policy.value.needs.sizes;
};

const times = (count: number, pattern: string): readonly string[] =>
  Array.from({ length: count }, () => pattern);

// The matcher is in up to 900 states at each character.
const heavy = "[ab]*a[ab]{900}x";
const short = callSizes.at(-1);

describe("regular expressions that are matched in memory", () => {
  it.each<[string, readonly string[]]>([
    ["many of people", times(100, ".*@example[.]com")],
    ["many of which the next character decides each choice", times(200, "[0-9]{3}-[0-9]{1,200}(?:x|y)")],
    ["one that takes long", [heavy]],
    ["two of the request", times(2, "$token.b")],
  ])("%s leave values of the request as they are", (_, patterns) => {
    expect(limitOf(patterns)).toBeUndefined();
  });

  it.each<[string, readonly string[]]>([
    ["many that take long", times(20, heavy)],
    ["several of the request", times(3, "$token.b")],
  ])("%s limit values of the request", (_, patterns) => {
    expect(limitOf(patterns)).toBe(short);
  });

  it("are refused where even short values take too long", () => {
    const policy = compiled(times(200, heavy));
    expect(policy.ok ? [] : policy.faults).toEqual([
      expect.stringMatching(
        /^policy\.condition\.filter.*: may take \d+ steps for one row, .*EXPRESSION_STEPS/,
      ),
    ]);
  });
});
