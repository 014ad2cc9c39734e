import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type Decisions, EvaluationsRequest, Explanation, parse } from "@ikg/contracts";
import { isLongRun } from "../../../stack/src/testing/test-environment.ts";
import { openEvaluateBatch } from "../src/decisions/evaluate-batch.ts";
import { openExplain } from "../src/decisions/explain.ts";
import { withExplanation } from "../src/decisions/with-explanation.ts";
import {
  openWard,
  type Ward,
  nurses,
  options,
  policy,
  snapshot,
  keepers,
  seniors,
  limited,
  asking,
} from "./ward.ts";

let ward: Ward;

beforeAll(async () => {
  ward = await openWard();
});
afterAll(() => ward.close());

describe("an explanation", () => {
  const scope = {
    operator: "AND",
    operands: [
      { operator: "=", attribute: "$request.action.properties.soft", value: true },
      { operator: "CONTAINS", attribute: "$token.scope", value: "sign" },
    ],
  };

  it("names the policies in order, and for each why it grants or does not", async () => {
    const filtered = policy("MATCH (subject), (resource)", ["READ"], "2.0-kbac", scope);
    const levels = policy("MATCH (subject), (resource) WHERE subject.property.level < $max");
    const routed = policy("USE graph.byName($loc) MATCH (subject), (resource)", ["READ"], "3.0-kbac");
    const { decision, context } = await ward.explain([seniors, filtered, levels, routed, keepers], {
      action: { name: "READ", properties: { soft: true } },
      context: { input_params: { loc: "north" } },
    });
    expect(decision).toBe(true);
    const { candidates = [], milliseconds } = context?.explanation ?? {};
    expect(candidates.map(({ outcome }) => outcome)).toEqual([
      "pattern_not_matched",
      "filter_not_satisfied",
      "parameter_missing",
      "wrong_location",
      "granted",
    ]);
    expect(candidates[0]).toMatchObject({
      policy: { id: expect.any(String), name: expect.any(String), version: 1 },
      part: {
        kind: "predicate",
        text: "subject.property.senior",
        from: { line: 1, column: 35 },
        certain: true,
      },
    });
    expect(candidates[1]).toMatchObject({
      filter: { path: "policy.condition.filter.operands[1]", attribute: "$token.scope", token_missing: true },
      statements: 0,
      database_hits: 0,
    });
    expect(candidates[2]).toMatchObject({ parameters: ["max"] });
    expect(candidates[3]?.location).toEqual([
      "policy requires a composite database, but the project has none configured",
    ]);
    const [nurse, chart] = [
      { type: "Nurse", id: "n1" },
      { type: "Chart", id: "c1" },
    ];
    expect(candidates[4]?.path).toEqual({
      nodes: [nurse, chart],
      relationships: [{ type: "KEEPS", source: nurse, target: chart }],
    });
    expect(candidates[4]?.database_hits).toBeGreaterThan(0);
    expect(milliseconds).toBeGreaterThan(0);
  });

  it("has no member that the contract does not declare, also of a filter that compares instants", async () => {
    const recent = policy("MATCH (subject), (resource)", ["READ"], "2.0-kbac", {
      operator: "<",
      attribute: "$request.action.properties.at",
      value: { type: "datetime", value: "2026-01-01T00:00:00Z" },
    });
    const { context } = await ward.explain([recent, seniors, keepers], {
      action: { name: "READ", properties: { at: "2026-06-01T00:00:00Z" } },
    });
    expect(context?.explanation?.candidates[0]).toMatchObject({
      outcome: "filter_not_satisfied",
      filter: { operator: "<", value: "2026-01-01T00:00:00Z", compares: "instants" },
    });
    // Members that a schema does not declare are not in what it parses.
    expect(Explanation.parse(context?.explanation)).toEqual(context?.explanation);
  });

  it("says that a comparison is below NOT", async () => {
    const soft = { operator: "=", attribute: "$request.action.properties.soft", value: true };
    const hard = policy("MATCH (subject), (resource)", ["READ"], "2.0-kbac", {
      operator: "NOT",
      operands: [soft],
    });
    const { context } = await ward.explain([hard], { action: { name: "READ", properties: { soft: true } } });
    expect(context?.explanation?.candidates).toMatchObject([
      {
        outcome: "filter_not_satisfied",
        filter: { path: "policy.condition.filter.operands[0]", operator: "=", negated: true },
      },
    ]);
  });

  it("says which end is not there", async () => {
    const { decision, context } = await ward.explain([keepers], { resource: { type: "Chart", id: "gone" } });
    expect(decision).toBe(false);
    expect(context?.explanation?.candidates).toMatchObject([
      { outcome: "pattern_not_matched", missing: ["resource"] },
    ]);
    expect((await ward.explain([])).context?.explanation?.candidates).toEqual([]);
  });

  it("agrees with the decision for every question, and changes none", async () => {
    const policies = [seniors, keepers];
    // One who is senior, and one who is not.
    for (const id of isLongRun() ? nurses : ["n1", "n2"])
      for (const chart of ["c0", "c1", "c2"]) {
        const ends = { subject: { type: "Nurse", id }, resource: { type: "Chart", id: chart } };
        const { decision, context } = await ward.explain(policies, ends);
        expect(decision).toBe(
          (await ward.decide(snapshot(...policies), { ...asking(), ...ends }, options)).decision,
        );
        expect(context?.explanation?.candidates.some(({ outcome }) => outcome === "granted")).toBe(decision);
      }
  });

  it("stands in each entry of a batch and beside each action, and costs nothing where it is not requested", async () => {
    const body = parse(EvaluationsRequest, {
      subject: { type: "Nurse", id: "n1" },
      action: { name: "READ" },
      evaluations: [{ resource: { type: "Chart", id: "c1" } }, { resource: { type: "Chart", id: "c2" } }],
    });
    const batch = openEvaluateBatch(withExplanation(openExplain(ward.graph))(ward.decide));
    // Entries were given, so the answer is that of a batch.
    const { evaluations } = (await batch(snapshot(keepers), body, undefined, {
      ...options,
      explain: true,
    })) as Decisions;
    expect(evaluations.map(({ context }) => context?.explanation?.candidates[0]?.outcome)).toEqual([
      "granted",
      "pattern_not_matched",
    ]);
    const ends = { subject: { type: "Nurse", id: "n1" }, resource: { type: "Chart", id: "c1" } };
    const found = await ward.actions(snapshot(keepers, limited), { ...asking(), ...ends }, undefined, {
      ...options,
      explain: true,
    });
    expect(found.results).toEqual([{ name: "READ" }]);
    expect(
      found.context?.explanation.map(({ action, candidates }) => [action, candidates[0]?.outcome]),
    ).toEqual([
      ["COUNT", "parameter_missing"],
      ["READ", "granted"],
    ]);
    const before = ward.statements();
    await ward.decide(snapshot(keepers), { ...asking(), ...ends }, options);
    expect(ward.statements() - before).toBe(1);
  });
});
