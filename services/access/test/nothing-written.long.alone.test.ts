import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type BoltListener, openBoltListener } from "../../../stack/src/testing/servers/bolt-statements.ts";
import { requireVariable } from "../../../stack/src/testing/test-environment.ts";
import { wholeDatabase } from "../../../stack/src/testing/whole-database.ts";
import { newPolicyId, openReplayWorld, options, policyOf, type ReplayWorld } from "./replay-world.ts";
import { openOffice } from "./simulations/office.ts";
import { put, type SimulationsUnderTest, stored } from "./simulations/simulations-under-test.ts";

/**
 * Neo4j's Community Edition has no users who may only read. What such a user would be refused is looked for on the wire: a
 * statement whose access mode is not READ.
 */
let listener: BoltListener;
let service: SimulationsUnderTest;
let world: ReplayWorld;

beforeAll(async () => {
  listener = await openBoltListener(requireVariable("NEO4J_URI"));
  const uri = `bolt://127.0.0.1:${listener.port}`;
  service = await openOffice({ NEO4J_URI: uri });
  world = await openReplayWorld(uri);
}, 120_000);
afterAll(async () => {
  await service?.close();
  await world?.close();
  await listener?.close();
});

/** Requires that work sends statements, all of them in READ mode, and leaves the whole database as it is. */
const writesNothing = async (work: () => Promise<unknown>): Promise<void> => {
  const everything = () => wholeDatabase((text) => service.graph.shared.read(text, {}, options));
  const before = await everything();
  listener.take();
  await work();
  const sent = listener.take();
  expect(sent.length).toBeGreaterThan(0);
  expect(sent.filter(({ mode }) => mode !== "READ")).toEqual([]);
  expect(await everything()).toEqual(before);
};

const wrote = { cypher: "MATCH (subject:Person)-[:WROTE]->(resource:Document)" };
const owned = { cypher: "MATCH (subject:Person)-[:MEMBER_OF]->(:Team)-[:OWNS]->(resource:Document)" };
/** Decided pair by pair. */
const paired = {
  cypher: "MATCH (subject:Person), (resource:Document) WHERE $resource_external_id IN ['d1', 'd2']",
};

describe("the listener of this test", () => {
  it("sees the mode of each statement, also in transactions", async () => {
    listener.take();
    await service.graph.shared.write((tx) => tx.run("RETURN 1 AS written", {}), options);
    await service.graph.shared.writeOnce("RETURN 2 AS once", {}, options);
    await service.graph.shared.read("RETURN 3 AS read", {}, options);
    expect(listener.take().filter(({ text }) => text.includes("RETURN"))).toMatchObject([
      { text: expect.stringContaining("RETURN 1"), mode: "WRITE" },
      { text: expect.stringContaining("RETURN 2"), mode: "WRITE" },
      { text: expect.stringContaining("RETURN 3"), mode: "READ" },
    ]);
  });
});

describe("nothing is written by", () => {
  it("a simulation that scans, decides pair by pair, or has explicit questions", async () => {
    service.setPolicies(stored("rule", wrote));
    await writesNothing(async () => {
      expect(await service.simulate([put("rule", owned)])).toMatchObject({ complete: true });
      expect(await service.simulate([put("rule", paired)])).toMatchObject({ complete: true });
      const question = {
        subject: { type: "Person", id: "p0" },
        action: { name: "READ" },
        resource: { type: "Document", id: "d0" },
      };
      expect((await service.simulate([put("rule", owned)], { questions: [question] })).answers).toEqual([
        { before: true, after: true },
      ]);
      const ghost = { ...owned, resource: "Ghost", cypher: owned.cypher.replace("Document", "Ghost") };
      await service.simulate([{ ...put("rule", ghost), if_version: 0 }]);
    });
  });

  it("the queries of a simulation, also those that write", async () => {
    const policy = {
      meta: { policy_version: "1.0-ciq" },
      subject: { type: "Person" },
      condition: { cypher: "MATCH (subject:Person)-[r:WROTE]->(d:Document)" },
      allowed_reads: { nodes: ["d.external_id"] },
      allowed_upserts: { nodes: { existing_nodes: ["d"], node_types: ["Note"] } },
      allowed_deletes: { relationships: ["r"] },
    };
    const query = {
      nodes: ["d.external_id"],
      upsert_nodes: [{ name: "d", properties: [{ type: "never", value: 1 }] }],
      delete_relationships: ["r"],
    };
    await service.setRecords(
      { name: "writer", text: policy },
      { name: "writes", text: query, policy: "writer" },
      { name: "reads", text: { nodes: ["d.external_id"] }, policy: "writer" },
    );
    await writesNothing(async () => {
      const as = { token: { sub: "p0" } };
      const { queries } = await service.simulate(
        [{ op: "delete", collection: "knowledge-queries", name: "reads" }],
        {
          queries: [
            { name: "writes", as },
            { name: "reads", as, values: true },
          ],
        },
      );
      expect(queries).toMatchObject([
        { writes: true, rows_before: 1, rows_after: 1 },
        { rows_before: 1, rows_after: 0 },
      ]);
    });
  });

  it("a replay, with changes and with versions of the past", async () => {
    const id = newPolicyId();
    const owners = { cypher: "MATCH (subject:Person)-[:OWNS]->(resource:Car)" };
    const old = policyOf(id, 1, owners);
    const next = policyOf(id, 2, { cypher: "MATCH (subject:Person {external_id: 'x'}), (resource:Car)" });
    await world.store(old, "former");
    const record = await world.evaluated(world.snapshot(old), {
      subject: { type: "Person", id: "ann" },
      action: { name: "DRIVE" },
      resource: { type: "Car", id: "ann" },
    });
    await writesNothing(async () => {
      const { verdicts } = await world.replay(
        world.snapshot(next),
        [record],
        [put("rule", owned), { op: "delete", collection: "authorization-policies", name: "may-drive" }],
      );
      expect(verdicts.policy_changed).toBe(1);
    });
  });
});
