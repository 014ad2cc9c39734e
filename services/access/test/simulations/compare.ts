/** Simulations of a change beside the decisions, one by one, before and after it. */
import { expect } from "@jest/globals";
import type { StoredKbacPolicy } from "@ikg/catalog";
import type { SimulationInputs } from "@ikg/contracts";
import type { PolicyText } from "../policies.ts";
import { pairsOf, put, type SimulationsUnderTest, stored } from "./simulations-under-test.ts";

interface Case {
  readonly before?: readonly StoredKbacPolicy[];
  readonly changes: readonly object[];
  readonly after: readonly StoredKbacPolicy[];
  readonly inputs?: SimulationInputs;
}

const without = (all: ReadonlySet<string>, others: ReadonlySet<string>): readonly string[] =>
  [...all].filter((each) => !others.has(each)).toSorted();

/** Simulates, and requires the pairs and the numbers that decisions one by one give. */
export const check = async (
  service: SimulationsUnderTest,
  { before = [], changes, after, inputs = {} }: Case,
) => {
  service.setPolicies(...before);
  const answer = await service.simulate(changes, { inputs });
  const [old, next] = [await service.granted(before, inputs), await service.granted(after, inputs)];
  const [gained, lost] = [without(next, old), without(old, next)];
  expect({
    gained: pairsOf(answer, "gained"),
    lost: pairsOf(answer, "lost"),
    before: answer.questions[0]?.before,
    after: answer.questions[0]?.after,
  }).toEqual({
    gained,
    lost,
    before: { granted: old.size, exact: true },
    after: { granted: next.size, exact: true },
  });
  return { answer, gained: gained.length, lost: lost.length };
};

/** What each person wrote; and what the teams own. */
export const wrote: PolicyText = { cypher: "MATCH (subject:Person)-[:WROTE]->(resource:Document)" };
export const owned: PolicyText = {
  cypher: "MATCH (subject:Person)-[:MEMBER_OF]->(:Team)-[:OWNS]->(resource:Document)",
};
export const open: PolicyText = {
  cypher: "MATCH (subject:Person), (resource:Document) WHERE resource.property.open = true",
};
export const all: PolicyText = { cypher: "MATCH (subject:Person), (resource:Document)" };

/** The policy `rule` becomes another one, beside others; and back. */
export const become = async (
  service: SimulationsUnderTest,
  from: PolicyText,
  to: PolicyText,
  method: "scan" | "pairs",
  { others = [], inputs = {} }: { others?: readonly StoredKbacPolicy[]; inputs?: SimulationInputs } = {},
): Promise<void> => {
  for (const [old, next] of [
    [from, to],
    [to, from],
  ] as const) {
    const before = [stored("rule", old), ...others];
    const after = [stored("rule", next), ...others];
    const { answer, gained, lost } = await check(service, {
      before,
      changes: [put("rule", next)],
      after,
      inputs,
    });
    expect([answer.questions[0]?.method, gained + lost > 0]).toEqual([method, true]);
  }
};
