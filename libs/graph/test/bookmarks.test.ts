import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type Bookmarks, connectGraph, type Graph } from "@ikg/graph";
import { neo4jOfTests } from "../../../stack/src/testing/test-environment.ts";

const settings = neo4jOfTests();
const options = { timeoutMs: 80_000 };

/** The same server, once as one server and once as what may be several. */
let single: Graph;
let clustered: Graph;

beforeAll(() => {
  single = connectGraph(settings);
  clustered = connectGraph({ ...settings, uri: settings.uri.replace(/^bolt/, "neo4j") });
});
afterAll(() => Promise.all([single.close(), clustered.close()]));

const write = async ({ shared }: Graph, after?: Bookmarks): Promise<Bookmarks> => {
  let left: Bookmarks = {};
  await shared.write((tx) => tx.run("CREATE (n:Bookmarked) DELETE n", {}), {
    ...options,
    after,
    onCommit: (bookmarks) => (left = bookmarks),
  });
  return left;
};
const read = ({ shared }: Graph, after: Bookmarks): Promise<unknown> =>
  shared.read("RETURN 1 AS one", {}, { ...options, after });

describe("what a write leaves behind", () => {
  it("is named by it, and a read or another write may name it", async () => {
    for (const graph of [single, clustered]) {
      const after = await write(graph);
      expect(after[""]).toEqual([expect.stringMatching(/^FB:/)]);
      expect(await read(graph, after)).toEqual([{ one: 1 }]);
      expect((await write(graph, after))[""]).toEqual([expect.stringMatching(/^FB:/)]);
    }
  });

  it("is asked of the servers of a cluster, and of one server not at all", async () => {
    const unknown = { "": ["FB:unknown"] };
    await expect(read(clustered, unknown)).rejects.toThrow();
    await expect(write(clustered, unknown)).rejects.toThrow();
    expect(await write(single, unknown)).toHaveProperty([""]);
    expect(await read(single, unknown)).toEqual([{ one: 1 }]);
    // What is left behind in another database of the graph concerns this one as little.
    expect(await read(clustered, { east: ["FB:unknown"] })).toEqual([{ one: 1 }]);
  });

  it("keeps rows apart that have to see different states", async () => {
    const texts: string[] = [];
    const watched = connectGraph(settings, { onStatement: ({ text }) => void texts.push(text) });
    const row = (after?: Bookmarks) =>
      watched.shared.readRow(
        "UNWIND $rows AS row RETURN row.i AS i, row.n AS n",
        { n: 1 },
        { ...options, after },
      );
    await row();
    texts.length = 0;
    await Promise.all([row(), row(), row({ "": ["FB:a"] }), row({ "": ["FB:b"] }), row({ "": ["FB:a"] })]);
    expect(texts).toHaveLength(3);
    await watched.close();
  });
});
