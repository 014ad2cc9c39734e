import { describe, expect, it } from "@jest/globals";
import type { NodeSummary, WholeNode } from "@ikg/contracts";
import type { PlanOperator } from "@ikg/graph";
import { compareText } from "@ikg/policy-core";
import { nodesText } from "../src/graph/statements.ts";
import { options } from "./ciq-under-test.ts";
import {
  ciq,
  graph,
  hostileIds,
  readGraph,
  other,
  pages,
  project,
  stored,
  useGraphUnderTest,
} from "./graph-under-test.ts";

useGraphUnderTest();

const pathOf = (type: string, id: string): string => `/${type}/${encodeURIComponent(id)}`;

const namesOf = (items: readonly NodeSummary[]): string[] =>
  items.map(({ type, external_id }) => `${type}/${external_id}`);

describe("GET /graph/v1/nodes", () => {
  it.each([1, 3, 100])("walks every id once, by code point, in pages of %d", async (limit) => {
    const found = await pages<NodeSummary>("", { type: "Odd" }, limit);
    expect(found.map(({ external_id }) => external_id)).toEqual(hostileIds.toSorted(compareText));
  });

  it("without a type has every node that was captured, and none of the platform", async () => {
    const found = namesOf(await pages<NodeSummary>("", {}, 4));
    expect(found).toEqual([
      ...hostileIds.toSorted(compareText).map((id) => `Odd/${id}`),
      "Person/ann",
      "Person/bob",
      "car/c1",
    ]);
    for (const type of ["_TrustScore", "_Application"])
      expect((await readGraph("", { type })).body).toEqual({ items: [], has_more: false, next_cursor: "" });
  });

  it.each(hostileIds)("finds ids that begin with %j", async (prefix) => {
    const found = await pages<NodeSummary>("", { type: "Odd", prefix }, 1);
    expect(found.map(({ external_id }) => external_id)).toEqual(
      hostileIds.filter((id) => id.startsWith(prefix)).toSorted(compareText),
    );
  });

  it("reads the index of keys, whose order is that of code points", async () => {
    const operators: string[] = [];
    const collect = ({ operator, details, children }: PlanOperator): void => {
      operators.push(`${operator} ${details}`);
      children.forEach(collect);
    };
    await graph.shared.read(
      `EXPLAIN ${nodesText(stored.pk)}`,
      { from: "a", before: "b", size: 10 },
      { ...options, onPlan: collect },
    );
    expect(operators.filter((each) => /Scan|Sort|Top/.test(each))).toEqual([]);
    expect(operators.filter((each) => each.includes("_key >= $from"))).toEqual([
      expect.stringMatching(/^NodeUniqueIndexSeekByRange/),
    ]);
  });

  it("continues after a node that is gone", async () => {
    const first = await readGraph("", { type: "Odd", limit: "2" });
    const second = (first.body["items"] as NodeSummary[])[1];
    await project.run("MATCH (n:_Node {_key: $k}) DETACH DELETE n", {
      k: `${stored.pk}/Odd/${second?.external_id}`,
    });
    const { body } = await readGraph("", { type: "Odd", limit: "100", cursor: first.body["next_cursor"] });
    expect((body["items"] as NodeSummary[]).map(({ external_id }) => external_id)).toEqual(
      hostileIds.toSorted(compareText).slice(2),
    );
    await project.run(
      "CREATE (n:_Node) SET n:$($labels), n._key = $k, n.type = 'Odd', n.external_id = $id, n.id = $gid",
      {
        labels: [`_P__${stored.pk}`, `Odd__${stored.pk}`],
        k: `${stored.pk}/Odd/${second?.external_id}`,
        id: second?.external_id,
        gid: second?.id,
      },
    );
  });

  it("refuses cursors of other lists, and what is malformed", async () => {
    const { body } = await readGraph("", { type: "Odd", limit: "1" });
    const cursor = body["next_cursor"];
    for (const [query, error] of [
      [{ type: "Person", cursor }, "cursor: not a cursor returned by this endpoint"],
      [{ type: "Odd", prefix: "a", cursor }, "cursor: not a cursor returned by this endpoint"],
      [{ cursor: "x" }, "cursor: not a cursor returned by this endpoint"],
      [{ limit: "0" }, "limit: integer from 1 to 500 expected"],
      [{ limit: "501" }, "limit: integer from 1 to 500 expected"],
      [{ prefix: "a" }, "prefix: needs type: the node type of the ids that begin with it"],
      [{ type: "no type" }, "type: 2-64 letters, digits and underscores, no digit first"],
    ] as const)
      expect(await readGraph("", query)).toMatchObject({ status: 400, body: { errors: [error] } });
  });

  it("is for roles that see data, in their projects", async () => {
    expect((await readGraph("", {}, "viewer")).status).toBe(403);
    const path = (id: string) => `/graph/v1/nodes?project_id=${id}`;
    const elsewhere = await ciq.send(stored, path(other.id), { grants: { owner: [stored.organizationId] } });
    expect([elsewhere.status, elsewhere.body]).toEqual([
      404,
      { message: "Not Found", errors: ["project_id: not found"] },
    ]);
    const owner = await ciq.send(stored, path(stored.id), { grants: { owner: [stored.organizationId] } });
    expect(owner.status).toBe(200);
    expect((await ciq.send(stored, path(stored.id))).status).toBe(503);
  });
});

describe("GET /graph/v1/nodes/{type}/{external_id}", () => {
  it("has everything of a node, with metadata and trust score", async () => {
    const { status, body } = await readGraph("/Person/ann");
    expect([status, body]).toEqual([
      200,
      {
        type: "Person",
        external_id: "ann",
        id: expect.stringMatching(/^gid:/) as unknown as string,
        is_identity: true,
        labels: [],
        properties: [
          { type: "age", external_value: "register" },
          {
            type: "name",
            value: "Ann",
            metadata: { source: "register", custom_metadata: { mine: [1, 2] } },
            update_time: "2026-01-01T00:00:00.000Z",
          },
          { type: "type", value: "own" },
        ],
        trust_score: {
          _final_score: 0.5,
          _validity: 1,
          _verification: null,
          _freshness: null,
          _origin: null,
          _completeness: null,
          profile_id: "p",
          update_time: "2026-01-02T00:00:00.000Z",
        },
      } satisfies WholeNode,
    ]);
  });

  it.each(hostileIds)("finds %j", async (id) => {
    const isRemoved = /^\.\.?$/.test(id);
    const { status, body } = await (isRemoved
      ? readGraph("/Odd/_", { external_id: id })
      : readGraph(pathOf("Odd", id)));
    expect([status, body["external_id"]]).toEqual([200, id]);
  });

  it("answers the same for absent nodes, those of the platform and those of other projects", async () => {
    const absent = { status: 404, body: { message: "Not Found", errors: ["node: not found"] } };
    for (const path of [
      "/Person/nobody",
      "/Person/zoe",
      "/_TrustScore/ann",
      `/_Application/${project.application}`,
      "/No%20type/ann",
      "/Odd%2Fa/b",
      `/Person/${"x".repeat(300)}`,
    ])
      for (const tail of ["", "/neighbours"])
        expect([path, await readGraph(`${path}${tail}`)]).toMatchObject([path, absent]);
  });
});
