/** The world of the tests of replays, with the policies and questions that they share. */
import { afterAll, beforeAll } from "@jest/globals";
import type { RedactionSettings } from "@ikg/audit";
import type { Replay } from "@ikg/contracts";
import {
  newPolicyId,
  openReplayWorld,
  policyOf,
  type ReplayPolicy,
  type ReplayWorld,
} from "./replay-world.ts";

export let world: ReplayWorld;

/** Opens the world before the tests of a file, and removes it afterwards. */
export const useReplayWorld = (): void => {
  beforeAll(async () => {
    world = await openReplayWorld();
  });
  afterAll(() => world.close());
};

export const owners: ReplayPolicy = { cypher: "MATCH (subject)-[:OWNS]->(resource)" };
export const noMatch: ReplayPolicy = { cypher: "MATCH (subject)-[:LENDS]->(resource)" };
export const above: ReplayPolicy = {
  cypher: "MATCH (subject)-[:OWNS]->(resource) WHERE subject.property.level > $min",
};
export const plan = (value: string): ReplayPolicy => ({
  ...owners,
  filter: { operator: "=", attribute: "$token.plan", value },
});

export const own = {
  subject: { type: "Person", id: "ann" },
  action: { name: "DRIVE" },
  resource: { type: "Car", id: "ann" },
};
export const other = { ...own, resource: { type: "Car", id: "bob" } };
export const sell = `MATCH ({_key: $pk + '/Person/ann'})-[o:OWNS]->({_key: $pk + '/Car/ann'}) DELETE o`;
export const buy = `MATCH (p {_key: $pk + '/Person/ann'}), (c {_key: $pk + '/Car/ann'}) MERGE (p)-[:OWNS]->(c)`;
export const hashes: RedactionSettings = { inputParams: "hashes", values: "names" };
export const none: RedactionSettings = { inputParams: "none", values: "names" };

export const first = ({ results }: Replay) => results[0];

/** A policy that was changed after it had decided; its former version is stored. */
export const changed = async (before: ReplayPolicy, after: ReplayPolicy) => {
  const id = newPolicyId();
  const [old, next] = [policyOf(id, 1, before), policyOf(id, 2, after)];
  await world.store(old, "former");
  await world.store(next, "present");
  return { old: world.snapshot(old), next: world.snapshot(next), id };
};
export const unchanged = (policy: ReplayPolicy) => world.snapshot(policyOf(newPolicyId(), 1, policy));
