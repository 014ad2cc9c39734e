import { describe, expect, it } from "@jest/globals";
import type { Json } from "./ciq-under-test.ts";
import { useWards, at, pk, graph, here, cypher, policy } from "./read-wards.ts";
import { all, nodePaths, one, type PathCase, readPaths, relationshipPaths } from "./read-paths.ts";

useWards();

/** The paths of a group, and what a query with all of them shows. */
const joinPaths = (group: readonly PathCase[]) => {
  const expected = Object.fromEntries(group.flatMap(([, each]) => Object.entries(each)));
  return [group.map(([path]) => path), expected] as const;
};

describe("what a path shows", () => {
  it.each(nodePaths.map(joinPaths))("%j", async (paths, expected) => {
    expect(await readPaths(paths)).toEqual(expected);
  });

  it("is the same when a page comes row by row", async () => {
    const query = {
      nodes: ["chart.*", "chart.trust_score.*", "w", "chart.property.scan"],
      relationships: ["h", "h.since"],
    };
    const pages = [{}, { pageSize: 2 }, { pageSize: 2, pageToken: 2 }, { pageToken: 9 }];
    for (const page of pages) {
      const [list, rowByRow] = await Promise.all(
        [false, true].map((large) => here.ask(all, query, { ...page, rowByRow: large })),
      );
      expect(rowByRow).toEqual(list);
    }
  });

  it("has ids that are the project's: no number of the database, and the same wherever an element is shown", async () => {
    const [row] = await here.execute(all, { nodes: ["w", "chart"], relationships: ["h"], filter: one });
    const [h, w, chart] = [row?.relationships?.["h"], row?.nodes["w"], row?.nodes["chart"]] as Json[];
    expect([h?.["StartId"], h?.["StartElementId"]]).toEqual([w?.["Id"], w?.["ElementId"]]);
    expect([h?.["EndId"], h?.["EndElementId"]]).toEqual([chart?.["Id"], chart?.["ElementId"]]);
    const stored = (await graph.shared.read(
      "MATCH (c:_Node {_key: $c}) RETURN elementId(c) AS c",
      { c: `${pk}/Chart/c1` },
      { timeoutMs: 10_000 },
    )) as { c: string }[]; // as the statement says
    const [database, number] = [stored[0]?.c ?? "", Number(stored[0]?.c.split(":").at(-1))];
    for (const shown of [h, w, chart]) {
      expect(shown?.["ElementId"]).toMatch(/^[A-Za-z0-9_-]{22}$/);
      expect(Number.isSafeInteger(shown?.["Id"])).toBe(true);
    }
    expect(JSON.stringify(row)).not.toContain(database.split(":")[1]);
    // The store of a test holds nothing like 2^40 elements.
    expect(Math.abs(Number(chart?.["Id"]) - number)).toBeGreaterThan(2 ** 30);
    const [again] = await here.execute(all, { nodes: ["chart"], filter: one });
    expect(again?.nodes["chart"]).toEqual(chart);
  });

  it("a whole node holds its system fields alone", async () => {
    const { chart } = await readPaths(["chart"]);
    const { Id, ElementId, ...rest } = chart as Json;
    expect([typeof Id, typeof ElementId]).toEqual(["number", "string"]);
    const id = (await here.node("Chart/c1"))?.fields["id"];
    expect(rest).toEqual({
      Labels: ["Chart"],
      Props: { external_id: "c1", type: "Chart", id, is_identity: false, create_time: at, update_time: at },
    });
  });

  it("all of a node, as one key for each value: neither metadata nor scores", async () => {
    expect(Object.keys(await readPaths(["chart.*"])).toSorted()).toEqual([
      "chart.create_time",
      "chart.external_id",
      "chart.id",
      "chart.property._own",
      "chart.property.open",
      "chart.property.risk",
      "chart.property.scan",
      "chart.property.tags",
      "chart.property.title",
      "chart.property.type",
      "chart.property.weight",
      "chart.type",
      "chart.update_time",
    ]);
  });

  it("a relationship, its properties, and all of them", async () => {
    const { h } = await readPaths(["h"], "relationships");
    expect(h).toMatchObject({
      Type: "HOLDS",
      Props: { since: 2020, _x: 1, create_time: at, update_time: at },
    });
    expect(Object.keys(h as Json).toSorted()).toEqual(
      ["ElementId", "EndElementId", "EndId", "Id", "Props", "StartElementId", "StartId", "Type"].toSorted(),
    );
    for (const [paths, expected] of relationshipPaths.map(joinPaths))
      expect(await readPaths(paths, "relationships")).toEqual(expected);
  });

  it("values that a WITH bound, nodes and relationships in them whole", async () => {
    const grouped = policy(
      { aggregate_values: ["n", "best", "found", "edges"] },
      {
        cypher: `${cypher} WITH subject, w, count(chart) AS n, max(chart.property.risk) AS best, {first: head(collect(chart))} AS found, collect(h) AS edges`,
        filter: [{ attribute: "n", operator: ">", value: 1 }],
      },
    );
    const rows = await here.execute(grouped, {
      nodes: [],
      aggregate_values: ["n", "best", "found", "edges"],
    });
    expect(rows).toEqual([
      {
        nodes: {},
        aggregate_values: {
          n: 2,
          best: 5,
          found: { first: expect.objectContaining({ Labels: ["Chart"] }) as unknown },
          edges: [expect.objectContaining({ Type: "HOLDS" }), expect.objectContaining({ Type: "HOLDS" })],
        },
      },
    ]);
  });
});
