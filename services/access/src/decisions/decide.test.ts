import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import type { ProjectSnapshot, StoredKbacPolicy } from "@ikg/catalog";
import { type Database, DataFault, type Graph } from "@ikg/graph";
import { projectKey } from "@ikg/physical";
import { compileKbac } from "@ikg/policy-core";
import { openDecide } from "./decide.ts";

const stored = (name: string, cypher: string, filter?: object): StoredKbacPolicy => {
  const compiled = compileKbac(
    JSON.stringify({
      meta: { policy_version: "2.0-kbac" },
      subject: { type: "Nurse" },
      actions: ["READ"],
      resource: { type: "Chart" },
      condition: { cypher, filter },
    }),
  );
  if (!compiled.ok) throw new Error(compiled.faults.join("; "));
  return { id: `gid:${name}`, name, version: 1, tags: [], text: "{}", policy: compiled.value };
};
const keepers = stored("keepers", "MATCH (subject)-[:KEEPS]->(resource)");

const evaluation = {
  subject: { type: "Nurse", id: "n1" },
  resource: { type: "Chart", id: "c1" },
  action: { name: "READ" },
  context: undefined,
  token: undefined,
};

const snapshotOf = (...candidates: readonly StoredKbacPolicy[]): ProjectSnapshot =>
  ({
    project: { pk: projectKey("00000000") },
    kbacCandidates: () => candidates,
  }) as unknown as ProjectSnapshot; // the decision reads no more of it

/** Decides by a database that answers every statement with this index of the granting candidate. */
const decideByIndex = async (granted: unknown) => {
  // The decision reads no more of it.
  const graph = {
    of: () => ({ readRow: () => Promise.resolve({ granted_by: granted }) }),
  } as unknown as Graph;
  const snapshot = snapshotOf(keepers);
  const grants: StoredKbacPolicy[] = [];
  const onGrant = (policy: StoredKbacPolicy): void => void grants.push(policy);
  const decision = await openDecide(graph)(snapshot, evaluation, { timeoutMs: 1_000, onGrant });
  return { ...decision, grants };
};

describe("a decision", () => {
  it("is granted by the candidate that the database names", async () => {
    expect(await decideByIndex(0)).toEqual({ decision: true, grants: [keepers] });
  });

  it.each([[-1], [undefined], ["0"]])("is denied where the database answers %p", async (granted) => {
    expect(await decideByIndex(granted)).toEqual({ decision: false, grants: [] });
  });

  it.each([[1], [0.5]])("is not made where the statement has no candidate %d", async (granted) => {
    await expect(decideByIndex(granted)).rejects.toThrow("no candidate");
  });

  it("does not fail for a candidate that takes no part in it", async () => {
    const filter = { attribute: "$flag", operator: "=", value: true };
    const others = stored("others", "MATCH (subject)-[:READS]->(resource)", filter);
    const readRow: Database["readRow"] = async (text) => {
      if (text.includes("READS")) throw new DataFault(new Error("a text that the database does not take"));
      return { granted_by: 0 };
    };
    const graph = { of: () => ({ readRow }) } as unknown as Graph;
    const question = { ...evaluation, context: { input_params: { flag: false } } };
    const decide = openDecide(graph);
    await expect(decide(snapshotOf(others, keepers), question, { timeoutMs: 1_000 })).resolves.toEqual({
      decision: true,
    });
    const participating = { ...evaluation, context: { input_params: { flag: true } } };
    await expect(decide(snapshotOf(others), participating, { timeoutMs: 1_000 })).rejects.toMatchObject({
      status: 422,
    });
  });

  it("takes no longer than its limit, however many statements it has", async () => {
    // A value of the request beside an aggregate: each of these policies has a statement of its own.
    const counting = (name: string) =>
      stored(
        name,
        "MATCH (subject:Nurse)-[:ON]->(w:Ward)-[:HOLDS]->(resource:Chart) WITH subject, resource, count(w) + $min AS wards",
      );
    const limits: number[] = [];
    const read: Database["read"] = async (_text, _parameters, { timeoutMs }) => {
      limits.push(timeoutMs);
      await wait(300);
      return [{ granted_by: -1 }];
    };
    const graph = { of: () => ({ read }) } as unknown as Graph;
    const snapshot = snapshotOf(counting("one"), counting("two"), counting("three"));
    const question = { ...evaluation, context: { input_params: { min: 1 } } };
    await expect(openDecide(graph)(snapshot, question, { timeoutMs: 400 })).rejects.toMatchObject({
      status: 503,
      headers: { "Retry-After": "1" },
    });
    // The third statement is not sent, and the second one only where the machine is quick enough.
    expect(limits.length).toBeLessThan(3);
    expect(limits.slice(1).every((ms) => ms <= 100)).toBe(true);
  });
});
