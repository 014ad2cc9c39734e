import { describe, expect, it } from "@jest/globals";
import { compileCiq, compilePolicy } from "../../src/index.ts";
import { compileQuery } from "../../src/query/index.ts";
import { cypherRefusals } from "./refusals/cypher.ts";
import { filteredCypher, filterRefusals, type FilterKind } from "./refusals/filters.ts";
import { patternRefusals } from "./refusals/patterns.ts";
import { otherKind, policyRefusals } from "./refusals/policies.ts";
import { queriedPolicy, queryRefusals } from "./refusals/queries.ts";
import { requestRefusals } from "./refusals/requests.ts";
import { policyOf } from "./versions.ts";

const faultsOf = (policy: string): readonly string[] => {
  const checked = compilePolicy(policy);
  return checked.ok ? [] : checked.faults;
};

/** Long examples are cut in the names of their tests. */
const short = (text: string): string => (text.length > 100 ? `${text.slice(0, 100)} …` : text);

describe("a condition is refused", () => {
  it.each(
    cypherRefusals.flatMap(({ text, example, versions }) =>
      versions.map((version) => [text, version, short(example), example] as const),
    ),
  )("%s (%s): %s", (text, version, _, cypher) => {
    expect(faultsOf(JSON.stringify(policyOf(version, { cypher })))).toEqual([
      `policy.condition.cypher: ${text}`,
    ]);
  });
});

describe("a filter is refused", () => {
  const policies: Readonly<Record<FilterKind, (filter: unknown) => object>> = {
    "KBAC filter": (filter) => policyOf("2.0-kbac", { cypher: "MATCH (subject), (resource)", filter }),
    token_filter: (filter) => policyOf("1.0-ciq", { cypher: filteredCypher, token_filter: filter }),
    "row filter": (filter) => policyOf("1.0-ciq", { cypher: filteredCypher, filter }),
  };

  it.each(
    filterRefusals.flatMap(({ text, filter, kinds, example }) =>
      kinds.map((kind) => [text, kind, short(example), filter] as const),
    ),
  )("%s (%s): %s", (text, kind, _, filter) => {
    const path = `policy.condition.${kind === "token_filter" ? kind : "filter"}`;
    const expected = /^[a-z]+[.[:]/.test(text)
      ? `${path}${text.startsWith("[") ? "" : "."}${text}`
      : `${path}: ${text}`;
    expect(faultsOf(JSON.stringify(policies[kind](filter)))).toEqual([expected]);
  });
});

describe("a policy is refused", () => {
  it.each(
    policyRefusals.flatMap(({ text, versions, example, policy }) =>
      versions.map((version) => [text, version, short(example), policy(version)] as const),
    ),
  )("%s (%s): %s", (text, _version, _, policy) => {
    expect(faultsOf(policy)).toEqual([text]);
  });

  it("of another kind than is asked for", () => {
    const checked = compileCiq(
      JSON.stringify(policyOf("2.0-kbac", { cypher: "MATCH (subject), (resource)" })),
    );
    expect(checked).toEqual({ ok: false, faults: [otherKind] });
  });
});

describe("a query is refused", () => {
  it.each(queryRefusals.map(({ text, query, example }) => [text, short(example), query] as const))(
    "%s: %s",
    (text, _, query) => {
      const policy = compileCiq(JSON.stringify(queriedPolicy));
      if (!policy.ok) throw new Error(policy.faults.join("; "));
      const checked = compileQuery(query, policy.value);
      expect(checked.ok ? [] : checked.faults).toEqual([text]);
    },
  );
});

describe("a regular expression is refused", () => {
  it.each(patternRefusals.map(({ text, example }) => [text, short(example), example] as const))(
    "%s: %s",
    (text, _, pattern) => {
      const filter = { attribute: "$token.a", operator: "=~", value: pattern };
      const policy = policyOf("2.0-kbac", { cypher: "MATCH (subject), (resource)", filter });
      expect(faultsOf(JSON.stringify(policy))).toEqual([
        `policy.condition.filter.value: not an accepted regular expression: ${text}`,
      ]);
    },
  );
});

describe("a call is refused", () => {
  it.each(requestRefusals.map((each) => [each.text, each.example, each] as const))(
    "%s: %s",
    (text, _, { refused }) => {
      expect(refused()).toEqual([text]);
    },
  );
});
