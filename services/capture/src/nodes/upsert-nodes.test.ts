import { describe, expect, it } from "@jest/globals";
import { parse, UpsertNodesRequest } from "@ikg/contracts";
import type { Row, Transaction } from "@ikg/graph";
import { projectKey } from "@ikg/physical";
import { nodeBatch } from "./node-rows.ts";
import { upsertNodesText } from "./statements.ts";
import { writeNodes } from "./upsert-nodes.ts";

const pk = projectKey("abcdefgh");
const now = "2026-01-01T00:00:00.000Z";
const nodes = [
  { external_id: "b", type: "Car" },
  { external_id: "a", type: "Car" },
];

/** Writes two nodes; the database answers with these rows. */
const write = (returned: readonly Row[]): Promise<string[]> => {
  const run = async (text: string): Promise<readonly Row[]> => (text === upsertNodesText ? returned : []);
  const tx = { run } as unknown as Transaction; // all that is called
  return writeNodes(tx, pk, nodeBatch(parse(UpsertNodesRequest, { nodes }).nodes, pk, now), now);
};

describe("the gids of nodes that were written", () => {
  it("are in the order of the items", async () => {
    const returned = [
      { i: 0, id: "gid:a" },
      { i: 1, id: "gid:b" },
    ];
    expect(await write(returned)).toEqual(["gid:b", "gid:a"]);
  });

  it("are not made up for a node that the database does not confirm", async () => {
    await expect(write([{ i: 0, id: "gid:a" }])).rejects.toThrow("the database did not confirm a node");
  });

  it("are not taken from a row that was not sent", async () => {
    const returned = [0, 1, 2].map((i) => ({ i, id: `gid:${i}` }));
    await expect(write(returned)).rejects.toThrow("the database returned row 2, which was not sent");
  });
});
