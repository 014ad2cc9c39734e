import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { maxCandidates } from "../src/decisions/explain.ts";
import { keepers, openWard, policy, type Ward } from "./ward.ts";

let ward: Ward;

beforeAll(async () => {
  ward = await openWard();
});
afterAll(() => ward.close());

describe("an explanation", () => {
  it("holds the policy that granted, however many candidates are older", async () => {
    const older = Array.from({ length: maxCandidates + 1 }, () =>
      policy("MATCH (subject), (resource) WHERE subject.property.senior"),
    );
    const { decision, context } = await ward.explain([...older, keepers]);
    expect(decision).toBe(true);
    const { candidates = [], omitted } = context?.explanation ?? {};
    expect(candidates.map(({ outcome }) => outcome)).toEqual([
      ...Array.from({ length: maxCandidates - 1 }, () => "pattern_not_matched"),
      "granted",
    ]);
    const { id, name, version } = keepers;
    expect(context?.explanation?.granted_by).toEqual({ id, name, version });
    expect(omitted).toBe(2);
  });
});
