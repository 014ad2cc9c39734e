import { describe, expect, it } from "@jest/globals";
import type { CatalogProject } from "@ikg/catalog";
import { type Gid, NeighboursQuery, newGid } from "@ikg/contracts";
import type { Database, DatabasePart, Graph, Params, Row, StatementOptions } from "@ikg/graph";
import { projectKey } from "@ikg/physical";
import { elementIdsOf } from "@ikg/query-rows";
import { NeighboursCursor, openCursors } from "./cursors.ts";
import { listNeighbours } from "./list-neighbours.ts";
import type { GraphReadContext } from "./read-context.ts";
import { readNode } from "./read-node.ts";

/** A node of a location: the default database has its proxy, and the constituent the node. */
const pk = projectKey("");
const head = { type: "Person", external_id: "ann", id: "gid:ann" };

const spoke = (type: string, id: string): Row => ({
  type,
  direction: 0,
  neighbourId: id,
  elementId: id,
  properties: {},
  labels: [],
  summary: { type: "Car", external_id: id, id },
});

/** Rows of each database by what its statement reads. */
const stored: Readonly<Record<string, Readonly<Record<"place" | "node" | "neighbours", readonly Row[]>>>> = {
  main: {
    place: [{ location: "eu" }],
    node: [{ labels: [], properties: { ...head, _location: "eu" }, trustScore: null }],
    neighbours: [spoke("B", "m1"), spoke("B", "m2")],
  },
  europe: {
    place: [],
    node: [{ labels: [], properties: { ...head, name: "Ann" }, trustScore: null }],
    neighbours: [spoke("A", "e1"), spoke("A", "e2"), spoke("C", "e3")],
  },
};

const kindOf = (text: string): "place" | "node" | "neighbours" =>
  text.includes("AS location") ? "place" : text.includes("LIMIT $size") ? "neighbours" : "node";

const isAfter = (row: Row, { type, neighbourId }: Params): boolean =>
  `${String(row["type"])}/${String(row["neighbourId"])}` > `${String(type)}/${String(neighbourId)}`;

const databaseOf = (name: string): Pick<Database, "read"> => ({
  read: async (text: string, params: Params, { onRow }: StatementOptions) => {
    const kind = kindOf(text);
    const rows = stored[name]?.[kind] ?? [];
    if (kind !== "neighbours") return [...rows];
    const wanted = rows.filter((row) => isAfter(row, params)).slice(0, Number(params["size"]));
    for (const row of wanted) if (onRow?.(row) === false) break;
    return wanted.map(() => ({}));
  },
});

const graph = {
  of: (_: unknown, part?: DatabasePart) =>
    databaseOf(typeof part === "object" ? part.constituent : "main") as Database, // no other member is used
} as Graph;

const context: GraphReadContext = {
  graph,
  project: {
    id: newGid("project"),
    pk,
    composite: { database: "all", constituents: new Map([["eu", "europe"]]), connections: new Map() },
    limits: { page_bytes: 1_000_000 },
  } as unknown as CatalogProject, // no other member is used
  shown: { pk, ids: elementIdsOf(Buffer.alloc(32))("gid:p" as Gid) },
  memory: {
    responseBudget: () => ({ bytes: 0, begin: () => undefined, consume: () => undefined }),
    release: () => undefined,
  },
  requestId: "test",
  signal: new AbortController().signal,
  deadline: Infinity,
};
const ann = { type: "Person", externalId: "ann" };

describe("a node of a location", () => {
  it("is read where it is", async () => {
    expect(await readNode(context, ann)).toMatchObject({
      external_id: "ann",
      location: "eu",
      properties: [{ type: "name", value: "Ann" }],
    });
  });

  it.each([1, 2, 3, 100])("has its neighbours of both databases, in pages of %d", async (limit) => {
    const cursors = openCursors({ key: Buffer.alloc(32), former: [] }, "tests", NeighboursCursor);
    const found: string[] = [];
    for (let cursor: string | undefined; cursor !== "";) {
      const query = NeighboursQuery.parse({ project_id: context.project.id, limit: String(limit), cursor });
      const { pieces, count } = await listNeighbours(context, ann, query, cursors);
      const page = JSON.parse(pieces.join("")) as {
        items: { node: { external_id: string } }[];
        next_cursor: string;
      };
      expect(page.items).toHaveLength(count);
      expect(count).toBeLessThanOrEqual(limit);
      found.push(...page.items.map(({ node }) => node.external_id));
      cursor = page.next_cursor;
    }
    expect(found).toEqual(["m1", "m2", "e1", "e2", "e3"]);
  });
});
