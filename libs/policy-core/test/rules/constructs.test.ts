import { describe, expect, it } from "@jest/globals";
import { compilePolicy } from "../../src/index.ts";
import { accepted, constructCases } from "./constructs.ts";
import { formCases, functionCases, operatorCases, refusedFunctionCases } from "./expressions.ts";
import { policyOf, type Version } from "./versions.ts";

const faultsOf = (version: Version, cypher: string): readonly string[] => {
  const checked = compilePolicy(JSON.stringify(policyOf(version, { cypher })));
  return checked.ok ? [] : checked.faults;
};

describe("constructs of the policy language", () => {
  it.each(constructCases)("%s in %s: %s", (_construct, version, outcome, cypher) => {
    const expected = outcome === accepted ? [] : [`policy.condition.cypher: ${outcome}`];
    expect(faultsOf(version, cypher)).toEqual(expected);
  });
});

describe("functions of the policy language", () => {
  it.each(functionCases)("%s in %s: accepted", (_name, version, cypher) => {
    expect(faultsOf(version, cypher)).toEqual([]);
  });

  it.each(refusedFunctionCases)("%s in %s: refused", (name, version, cypher) => {
    expect(faultsOf(version, cypher)).toEqual([
      `policy.condition.cypher: function ${name} is not allowed (line 1, column 35)`,
    ]);
  });
});

describe("operators of the policy language", () => {
  it.each(operatorCases)("%s in %s: accepted", (operator, version, cypher) => {
    expect(cypher).toContain(` ${operator} `);
    expect(faultsOf(version, cypher)).toEqual([]);
  });
});

describe("patterns and paths of the policy language", () => {
  it.each(formCases)("%s in %s: accepted", (_form, version, cypher) => {
    expect(faultsOf(version, cypher)).toEqual([]);
  });
});
