import { describe, expect, it } from "@jest/globals";
import { type Database, MemoryLimitExceeded, StatementTimeout } from "@ikg/graph";
import { Neo4jError } from "neo4j-driver";
import { runSweep, type Sweep } from "./sweep.ts";

const unused = () => Promise.reject(new Error("not used"));
const { signal } = new AbortController();

const memoryExceeded = new MemoryLimitExceeded(
  new Neo4jError("", "Neo.ClientError.General.TransactionOutOfMemoryError", "", ""),
);

const sweep: Sweep = {
  text: (limit) => `nodes ${limit}`,
  batch: 1_000,
  relationshipsText: (limit) => `relationships ${limit}`,
};

/**
 * A graph of nodes of which so many fit into a transaction; the first node has relationships, and only fits without them.
 *
 * @param failure of a batch that does not fit; without it the answer says so
 * @returns its database, and what was sent to it
 */
const graphOf = (graph: { nodes: number; fit: number; relationships?: number }, failure?: Error) => {
  let { nodes, relationships = 0 } = graph;
  const sent: string[] = [];
  const run = (text: string) => {
    sent.push(text);
    const [kind, limit] = [text.split(" ")[0], Number(text.split(" ")[1])];
    if (kind === "relationships") {
      const removed = Math.min(limit, relationships);
      relationships -= removed;
      return Promise.resolve([{ removed }]);
    }
    const removed = Math.min(limit, nodes);
    if (removed > graph.fit || relationships > 0)
      return failure ? Promise.reject(failure) : Promise.resolve([{ removed: 0, is_too_much: true }]);
    nodes -= removed;
    return Promise.resolve([{ removed }]);
  };
  const database: Database = {
    read: unused,
    readRow: unused,
    writeOnce: unused,
    write: (work) => work({ run }),
  };
  return { database: () => database, sent, left: () => nodes };
};

describe("a sweep", () => {
  it("takes whole batches until one is not full", async () => {
    const { database, sent } = graphOf({ nodes: 2_500, fit: 1_000 }, memoryExceeded);
    expect(await runSweep(database, sweep, {}, signal)).toBe(2_500);
    expect(sent).toEqual(["nodes 1000", "nodes 1000", "nodes 1000"]);
  });

  it.each([
    ["memory", memoryExceeded],
    ["time", new StatementTimeout(60_000)],
  ])(
    "takes fewer at once where a transaction has no %s for so many, and more again",
    async (_what, failure) => {
      const { database, sent, left } = graphOf({ nodes: 1_000, fit: 300 }, failure);
      expect(await runSweep(database, sweep, {}, signal)).toBe(1_000);
      expect(left()).toBe(0);
      expect(sent).toEqual([
        "nodes 1000",
        "nodes 125",
        "nodes 250",
        "nodes 500",
        "nodes 63",
        "nodes 126",
        "nodes 252",
        "nodes 504",
      ]);
    },
  );

  it("removes the relationships first of a node that has too many", async () => {
    const { database, sent, left } = graphOf({ nodes: 3, fit: 1_000, relationships: 2_100 }, memoryExceeded);
    expect(await runSweep(database, sweep, {}, signal)).toBe(3);
    expect(left()).toBe(0);
    expect(sent.filter((text) => text.startsWith("relationships"))).toHaveLength(3);
  });

  it("takes fewer at once where a batch has too many relationships, and those of one node first", async () => {
    const { database, sent, left } = graphOf({ nodes: 2, fit: 1_000, relationships: 2_007 });
    expect(await runSweep(database, sweep, {}, signal)).toBe(2);
    expect(left()).toBe(0);
    expect(sent).toEqual([
      "nodes 1000",
      "nodes 125",
      "nodes 16",
      "nodes 2",
      "nodes 1",
      "relationships 1000",
      "relationships 1000",
      "relationships 1000",
      "nodes 1",
      "nodes 2",
    ]);
  });

  it("fails where not even one fits", async () => {
    const { database } = graphOf({ nodes: 3, fit: 0 }, memoryExceeded);
    await expect(runSweep(database, sweep, {}, signal)).rejects.toBe(memoryExceeded);
  });

  it("fails at once for another reason", async () => {
    const failure = new Error("no connection");
    const { database, sent } = graphOf({ nodes: 3, fit: 0 }, failure);
    await expect(runSweep(database, sweep, {}, signal)).rejects.toBe(failure);
    expect(sent).toHaveLength(1);
  });
});
