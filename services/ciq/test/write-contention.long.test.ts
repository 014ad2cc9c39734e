import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import { options } from "./ciq-under-test.ts";
import { useRankedCharts, pk, graph, here, policy, note, ids } from "./ranked-charts.ts";

useRankedCharts();

describe("an execution that meets another writer", () => {
  it("starts over when that one deletes what it found", async () => {
    const [deleted, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const other = graph.shared.write(async (tx) => {
      await tx.run("MATCH (n:_Node {_key: $k}) DETACH DELETE n", { k: `${pk}/Chart/c1` });
      deleted.resolve();
      await ended.promise;
    }, options);
    await deleted.promise;
    const query = {
      upsert_nodes: [note("x")],
      upsert_relationships: [{ name: "ab", source: "note", target: "chart", type: "ABOUT" }],
      nodes: ["chart.external_id"],
    };
    const execution = here.execute(policy(), query);
    // By then it has matched, and waits for the lock of the other one.
    await wait(1_000);
    ended.resolve();
    await other;
    expect(ids(await execution)).toEqual(["c2", "c3", "c4", "c5"]);
    expect(await here.edges("Note/x", "ABOUT", "Chart/c2")).toHaveLength(1);
  });
});
