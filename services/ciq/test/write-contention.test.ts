import { describe, expect, it } from "@jest/globals";
import { isLongRun } from "../../../stack/src/testing/test-environment.ts";
import { useRankedCharts, here, policy, ids } from "./ranked-charts.ts";

useRankedCharts();

describe("parallel executions with overlapping rows", () => {
  it("all succeed, and leave one node and one relationship of each", async () => {
    const query = {
      upsert_nodes: [
        { name: "chart", properties: [{ type: "hits", value: "$n" }] },
        { name: "note", type: "Note", external_id: "$note", properties: [{ type: "by", value: "$n" }] },
      ],
      upsert_relationships: [
        {
          name: "s",
          source: "subject",
          target: "chart",
          type: "SIGNED",
          properties: [{ type: "n", value: "$n" }],
        },
        { name: "ab", source: "note", target: "chart", type: "ABOUT" },
        { name: "h", properties: [{ type: "n", value: "$n" }] },
      ],
      nodes: ["chart.external_id", "chart.property.hits", "note.external_id"],
      relationships: ["s.n"],
    };
    // Four are the fewest by which each nurse signs with each note.
    const runs = Array.from({ length: isLongRun() ? 8 : 4 }, (_, n) =>
      here.execute(policy(), query, {
        params: { n, note: `x${n % 2}` },
        token: { sub: n % 3 === 0 ? "n2" : "n1" },
      }),
    );
    const answers = await Promise.all(runs);
    // Each sees its own values in all its rows.
    answers.forEach((rows, n) => {
      expect(ids(rows)).toEqual(["c1", "c2", "c3", "c4", "c5"]);
      expect(new Set(rows.map(({ nodes }) => nodes["chart.property.hits"]))).toEqual(new Set([n]));
      expect(new Set(rows.map((row) => row.relationships?.["s.n"]))).toEqual(new Set([n]));
    });
    // The last execution won everywhere: no execution is half in the graph.
    const hits = new Set<unknown>();
    for (const id of [1, 2, 3, 4, 5]) {
      hits.add((await here.node(`Chart/c${id}`))?.fields["hits"]);
      hits.add((await here.edges("Ward/w1", "HOLDS", `Chart/c${id}`))[0]?.["n"]);
      for (const nurse of ["n1", "n2"])
        expect(await here.edges(`Nurse/${nurse}`, "SIGNED", `Chart/c${id}`)).toHaveLength(1);
      for (const x of ["x0", "x1"])
        expect(await here.edges(`Note/${x}`, "ABOUT", `Chart/c${id}`)).toHaveLength(1);
    }
    expect(hits.size).toBe(1);
  });
});
