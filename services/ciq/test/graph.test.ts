import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { NodeSummary, WholeNode } from "@ikg/contracts";
import type { Graph } from "@ikg/graph";
import { compareText } from "@ikg/policy-core";
import { type Answer, type CiqProcess, startCiqProcess } from "./ciq-process.ts";
import { type Json, openProject, openTestGraph, type TestProject } from "./ciq-under-test.ts";
import { type StoredProject, storeProject } from "./stored-project.ts";

/** Ids for which UTF-16 units, code points and escaping of paths disagree; `.` and `..` stand in no path. */
const hostileIds = [
  "a",
  "a/b",
  "a b?c#d%2F",
  "A",
  "é",
  "\u0001",
  "\ud7ff",
  "\ue000",
  "\uffee",
  "\uffee\u{1f600}",
  "\u{1f600}",
  "\u{1f600}a",
  "\u{10ffff}",
  "' OR 1=1 //",
  "__proto__",
  ".",
  "..",
];

let graph: Graph;
let ciq: CiqProcess;
let stored: StoredProject;
let other: StoredProject;
let project: TestProject;
let others: TestProject;

const metadata = {
  "name.metadata.source": "register",
  "name.metadata.mine": [1, 2],
  "name.update_time": "2026-01-01T00:00:00.000Z",
};
const hubs = 5_000;

beforeAll(async () => {
  graph = openTestGraph();
  await graph.prepare();
  stored = await storeProject(graph);
  other = await storeProject(graph);
  project = await openProject(
    graph,
    {
      nodes: {
        ...Object.fromEntries(hostileIds.map((id) => [`Odd/${id}`, {}])),
        "Person/ann": {
          name: "Ann",
          ...metadata,
          "age.external_value": "register",
          "_p.type": "own",
          is_identity: true,
        },
        "Person/bob": {},
        "car/c1": {},
        "_TrustScore/ann": {
          _final_score: 0.5,
          _validity: 1,
          profile_id: "p",
          update_time: "2026-01-02T00:00:00.000Z",
        },
      },
      edges: [
        ["Person/ann", "KNOWS", "Person/bob", { since: 2020, _create_time: "2026-01-01T00:00:00.000Z" }],
        ["Person/ann", "KNOWS", "Person/bob", { since: 2021, _discriminator: "2021" }],
        ["Person/ann", "KNOWS", "Person/ann"],
        ["Person/bob", "LIKES", "Person/ann"],
        ["Person/ann", "OWNS", "car/c1"],
        ["Person/ann", "_HAS", "_TrustScore/ann"],
      ],
    },
    stored.pk,
  );
  others = await openProject(
    graph,
    { nodes: { "Person/ann": { name: "Other" }, "Person/zoe": {} }, edges: [] },
    other.pk,
  );
  ciq = await startCiqProcess();
}, 60_000);

afterAll(async () => {
  await ciq.end();
  for (const each of [project, others]) await each.drop();
  for (const each of [stored, other]) await each.remove();
  await graph.close();
});

const look = (
  path: string,
  query: Json = {},
  role: "data_viewer" | "viewer" = "data_viewer",
): Promise<Answer> => {
  const all = new URLSearchParams({ project_id: stored.id, ...(query as Record<string, string>) }); // the tests write texts
  return ciq.send(stored, `/graph/v1/nodes${path}?${all.toString()}`, { grants: { [role]: [stored.id] } });
};

/** Every page of a list; fails if one has more than its limit. */
const pages = async <Item>(path: string, query: Json, limit: number): Promise<Item[]> => {
  const items: Item[] = [];
  for (let cursor = ""; ;) {
    const { status, body } = await look(path, {
      ...query,
      limit: String(limit),
      ...(cursor === "" ? {} : { cursor }),
    });
    expect([status, body["items"]]).toEqual([200, expect.any(Array)]);
    const page = body as unknown as { items: Item[]; has_more: boolean; next_cursor: string }; // as just seen
    expect(page.items.length).toBeLessThanOrEqual(limit);
    items.push(...page.items);
    if (!page.has_more) return items;
    cursor = page.next_cursor;
  }
};

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
      expect((await look("", { type })).body).toEqual({ items: [], has_more: false, next_cursor: "" });
  });

  it.each(hostileIds)("finds ids that begin with %j", async (prefix) => {
    const found = await pages<NodeSummary>("", { type: "Odd", prefix }, 1);
    expect(found.map(({ external_id }) => external_id)).toEqual(
      hostileIds.filter((id) => id.startsWith(prefix)).toSorted(compareText),
    );
  });

  it("continues after a node that is gone", async () => {
    const first = await look("", { type: "Odd", limit: "2" });
    const second = (first.body["items"] as NodeSummary[])[1];
    await project.run("MATCH (n:_Node {_key: $k}) DETACH DELETE n", {
      k: `${stored.pk}/Odd/${second?.external_id}`,
    });
    const { body } = await look("", { type: "Odd", limit: "100", cursor: first.body["next_cursor"] });
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
    const { body } = await look("", { type: "Odd", limit: "1" });
    const cursor = body["next_cursor"];
    for (const [query, error] of [
      [{ type: "Person", cursor }, "cursor: not one that this list answered"],
      [{ type: "Odd", prefix: "a", cursor }, "cursor: not one that this list answered"],
      [{ cursor: "x" }, "cursor: not one that this list answered"],
      [{ limit: "0" }, "limit: whole number from 1 to 500 expected"],
      [{ limit: "501" }, "limit: whole number from 1 to 500 expected"],
      [{ prefix: "a" }, "prefix: needs type: the node type of the ids that begin with it"],
      [{ type: "no type" }, "type: 2-64 letters, digits and underscores, no digit first"],
    ] as const)
      expect(await look("", query)).toMatchObject({ status: 400, body: { errors: [error] } });
  });

  it("is for roles that see data, in their projects", async () => {
    expect((await look("", {}, "viewer")).status).toBe(403);
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
    const { status, body } = await look("/Person/ann");
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
      ? look("/Odd/_", { external_id: id })
      : look(pathOf("Odd", id)));
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
        expect([path, await look(`${path}${tail}`)]).toMatchObject([path, absent]);
  });
});

interface Item {
  readonly relationship: {
    readonly type: string;
    readonly direction: string;
    readonly properties: unknown[];
  };
  readonly node: NodeSummary;
}

const textOf = ({ relationship: { type, direction }, node }: Item): string =>
  `${direction} ${type} ${node.external_id}`;

describe("GET /graph/v1/nodes/{type}/{external_id}/neighbours", () => {
  it.each([1, 2, 100])(
    "has every relationship once, in pages of %d, and none of the platform",
    async (limit) => {
      const found = await pages<Item>("/Person/ann/neighbours", {}, limit);
      expect(found.map(textOf).toSorted()).toEqual([
        "in LIKES bob",
        "out KNOWS ann",
        "out KNOWS bob",
        "out KNOWS bob",
        "out OWNS c1",
      ]);
      expect(found.flatMap(({ relationship }) => relationship.properties)).toEqual(
        expect.arrayContaining([
          { type: "since", value: 2020 },
          { type: "since", value: 2021 },
        ]),
      );
    },
  );

  it("restricts to types and a direction", async () => {
    const textsOf = async (query: Json) =>
      (await pages<Item>("/Person/ann/neighbours", query, 1)).map(textOf).toSorted();
    expect(await textsOf({ types: "LIKES,OWNS" })).toEqual(["in LIKES bob", "out OWNS c1"]);
    expect(await textsOf({ direction: "out" })).toEqual([
      "out KNOWS ann",
      "out KNOWS bob",
      "out KNOWS bob",
      "out OWNS c1",
    ]);
    expect(await textsOf({ direction: "in" })).toEqual(["in KNOWS ann", "in LIKES bob"]);
    expect(await textsOf({ types: "_HAS" })).toEqual([]);
    for (const [query, error] of [
      [{ types: "" }, "types: 1-100 relationship types with commas between them expected"],
      [{ types: "owns" }, "types: 1-100 relationship types with commas between them expected"],
      [{ direction: "up" }, 'direction: "out", "in" or "both" expected'],
    ] as const)
      expect(await look("/Person/ann/neighbours", query)).toMatchObject({
        status: 400,
        body: { errors: [error] },
      });
  });

  it("pages a hub", async () => {
    await project.run(
      `MATCH (h:_Node {_key: $hub}) UNWIND range(1, ${hubs}) AS i
       CREATE (n:_Node {_key: $prefix + i, type: 'Spoke', external_id: toString(i), id: 'gid:' + i})<-[:HOLDS {_discriminator: ''}]-(h)
       SET n:$($labels)`,
      {
        hub: `${stored.pk}/Person/bob`,
        prefix: `${stored.pk}/Spoke/`,
        labels: [`_P__${stored.pk}`, `Spoke__${stored.pk}`],
      },
    );
    const found = await pages<Item>("/Person/bob/neighbours", { types: "HOLDS" }, 500);
    expect(new Set(found.map(({ node }) => node.external_id)).size).toBe(hubs);
    expect(found).toHaveLength(hubs);
  }, 60_000);

  it("ends a page where the next relationship does not fit, and refuses one that fits no page", async () => {
    const text = "x".repeat(65_000);
    await project.run(
      `MATCH (r:_Record {id: $id}) SET r.data = '{"limits":{"page_bytes":150000}}', r.version = 2`,
      {
        id: stored.id,
      },
    );
    await ciq.end();
    ciq = await startCiqProcess();
    await project.run(
      `MATCH (a:_Node {_key: $a}) MATCH (b:_Node {_key: $b})
       UNWIND range(1, 5) AS i CREATE (a)-[:WIDE {_discriminator: toString(i), text: $text}]->(b)
       CREATE (a)-[:WIDER {_discriminator: '', one: $text, two: $text, three: $text}]->(b)`,
      { a: `${stored.pk}/car/c1`, b: `${stored.pk}/Person/bob`, text },
    );
    const first = await look("/car/c1/neighbours", { types: "WIDE" });
    expect([(first.body["items"] as unknown[]).length, first.body["has_more"]]).toEqual([2, true]);
    expect(await pages("/car/c1/neighbours", { types: "WIDE" }, 100)).toHaveLength(5);
    expect(await look("/car/c1/neighbours", { types: "WIDER" })).toMatchObject({
      status: 422,
      body: { errors: ["neighbours: larger than an answer may be (limit page_bytes, 150000)"] },
    });
  }, 60_000);
});
