import { describe, expect, it } from "@jest/globals";
import type { NodeSummary } from "@ikg/contracts";
import type { Json } from "./ciq-under-test.ts";
import { readGraph, pages, project, restart, stored, useGraphUnderTest } from "./graph-under-test.ts";

useGraphUnderTest();

const hubs = 5_000;

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
      expect(await readGraph("/Person/ann/neighbours", query)).toMatchObject({
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
    await restart();
    await project.run(
      `MATCH (a:_Node {_key: $a}) MATCH (b:_Node {_key: $b})
       UNWIND range(1, 5) AS i CREATE (a)-[:WIDE {_discriminator: toString(i), text: $text}]->(b)
       CREATE (a)-[:WIDER {_discriminator: '', one: $text, two: $text, three: $text}]->(b)`,
      { a: `${stored.pk}/car/c1`, b: `${stored.pk}/Person/bob`, text },
    );
    const first = await readGraph("/car/c1/neighbours", { types: "WIDE" });
    expect([(first.body["items"] as unknown[]).length, first.body["has_more"]]).toEqual([2, true]);
    expect(await pages("/car/c1/neighbours", { types: "WIDE" }, 100)).toHaveLength(5);
    expect(await readGraph("/car/c1/neighbours", { types: "WIDER" })).toMatchObject({
      status: 422,
      body: { errors: ["neighbours: larger than an answer may be (limit page_bytes, 150000)"] },
    });
  }, 60_000);
});
