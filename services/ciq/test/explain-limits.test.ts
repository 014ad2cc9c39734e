import { describe, expect, it } from "@jest/globals";
import { connectGraph } from "@ikg/graph";
import { neo4jOfTests } from "../../../stack/src/testing/test-environment.ts";
import { openProject } from "./ciq-under-test.ts";
import { useSecretCharts, policy, ids } from "./secret-charts.ts";

useSecretCharts();

describe("what an explanation costs", () => {
  it("is nothing for who does not ask, and transactions of its own for who does", async () => {
    const texts: string[] = [];
    const watched = connectGraph(neo4jOfTests(), { onStatement: ({ text }) => void texts.push(text) });
    const watching = await openProject(watched, { nodes: {}, edges: [] });
    const create = {
      upsert_nodes: [{ name: "note", type: "Note", external_id: "n" }],
      nodes: ["note.external_id"],
    };
    // A process reserves a name once, which takes statements of its own.
    await watching.reserveNames(policy(), create);
    const counts: number[] = [];
    for (const query of [ids, create])
      for (const explain of [false, true]) {
        texts.length = 0;
        await watching.ask(policy(), query, { explain });
        counts.push(texts.length);
      }
    const [read = 0, explained = 0, write = 0, explainedWrite = 0] = counts;
    expect(read).toBe(1);
    expect(explained).toBeGreaterThan(1);
    // Nothing matches: the write is its match alone. Explained it is read once more, besides the explanation itself.
    expect(write).toBe(1);
    expect(explainedWrite).toBe(explained + 1);
    await watching.drop();
    await watched.close();
  });
});
