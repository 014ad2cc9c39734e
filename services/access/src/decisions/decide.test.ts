import { describe, expect, it } from "@jest/globals";
import type { ProjectSnapshot, StoredKbacPolicy } from "@ikg/catalog";
import type { Graph } from "@ikg/graph";
import { projectKey } from "@ikg/physical";
import { compileKbac } from "@ikg/policy-core";
import { openDecide } from "./decide.ts";

const compiled = compileKbac(
  JSON.stringify({
    meta: { policy_version: "2.0-kbac" },
    subject: { type: "Nurse" },
    actions: ["READ"],
    resource: { type: "Chart" },
    condition: { cypher: "MATCH (subject)-[:KEEPS]->(resource)" },
  }),
);
if (!compiled.ok) throw new Error(compiled.faults.join("; "));
const keepers: StoredKbacPolicy = {
  id: "gid:keepers",
  name: "keepers",
  version: 1,
  tags: [],
  text: "{}",
  policy: compiled.value,
};

const evaluation = {
  subject: { type: "Nurse", id: "n1" },
  resource: { type: "Chart", id: "c1" },
  action: { name: "READ" },
  context: undefined,
  token: undefined,
};

/** Decides by a database that answers every statement with this index of the granting candidate. */
const decideByIndex = async (granted: unknown) => {
  const candidates = [keepers];
  // The decision reads no more of either.
  const graph = { of: () => ({ readRow: () => Promise.resolve({ granted }) }) } as unknown as Graph;
  const snapshot = {
    project: { pk: projectKey("00000000") },
    kbacCandidates: () => candidates,
  } as unknown as ProjectSnapshot;
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
});
