import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import type { CatalogProject } from "@ikg/catalog";
import { Problem } from "@ikg/contracts";
import { type Database, type DatabasePart, type Graph, type Params, StatementTimeout } from "@ikg/graph";
import { projectKey } from "@ikg/physical";
import { snapshotOf, storedPolicy } from "../../test/policies.ts";
import { projectOf } from "../../test/project.ts";
import type { Decide } from "./decide.ts";
import { pageTokens } from "./page-token.ts";
import { openSearch } from "./search.ts";
import { tokenOf } from "./token-of.ts";

type Read = (part: DatabasePart | undefined, params: Params) => Promise<readonly string[]>;

/** A graph whose databases find the ids that `read` names. */
const graphOf = (read: Read): Graph => {
  const databaseOf = (part: DatabasePart | undefined): Pick<Database, "read"> => ({
    read: async (_text, params) => (await read(part, params)).map((id) => ({ id })),
  });
  // A search calls no more of it.
  return { of: (_project: unknown, part?: DatabasePart) => databaseOf(part) } as unknown as Graph;
};

const tokens = pageTokens(Buffer.alloc(32));
const match = "MATCH (subject:Nurse)-[:READS]->(resource:Chart)";

describe("a search over several databases", () => {
  const connection = { url: "bolt://south.example", username: "neo4j", password: "secret" };
  const project: CatalogProject = {
    ...projectOf(projectKey("")),
    connection,
    composite: {
      database: "hospital",
      constituents: new Map([["south", "db2"]]),
      connections: new Map([["db2", connection]]),
    },
  };
  const local = storedPolicy({ cypher: match });
  const routed = storedPolicy({ cypher: `USE graph.byName($loc) ${match}`, version: "3.0-kbac" });
  const question = {
    subject: { type: "Nurse", id: "ann" },
    resource: { type: "Chart" },
    action: { name: "READ" },
    context: { input_params: { loc: "south" } },
    token: undefined,
  };

  it("finds everywhere also after a page that was decided id by id in one of them", async () => {
    let isSlow = true;
    const graph = graphOf(async (part, params) => {
      if (part !== undefined) return ["s1"];
      const isListOfIds = "from" in params;
      if (!isListOfIds && isSlow) throw new StatementTimeout(25);
      return isSlow ? ["a"] : ["b"];
    });
    const decide: Decide = async () => {
      await wait(60);
      return { decision: true };
    };
    const search = openSearch({ graph, tokens, decide }, "resource");
    const first = await search(snapshotOf(project, [local]), question, undefined, { timeoutMs: 50 });
    expect([first.results, first.context]).toEqual([[{ type: "Chart", id: "a" }], { complete: false }]);
    isSlow = false;
    const next = { token: first.page?.next_token };
    const second = await search(snapshotOf(project, [local, routed]), question, next, { timeoutMs: 5_000 });
    expect(second.results.map(({ id }) => id)).toEqual(["b", "s1"]);
  });
});

describe("a search for subjects with a bearer", () => {
  const project = projectOf(projectKey("00000000"));
  const snapshot = snapshotOf(project, [
    storedPolicy({ cypher: match }),
    storedPolicy({ cypher: "MATCH (subject), (resource)", version: "3.0-kbac" }),
  ]);
  const question = {
    subject: { type: "Nurse" },
    resource: { type: "Chart", id: "c1" },
    action: { name: "READ" },
    context: undefined,
    token: tokenOf({ sub: "ann" }),
  };
  const options = { timeoutMs: 5_000 };

  it("finds what other policies find where the bearer's own subject cannot be evaluated", async () => {
    const refused = new Problem("unprocessable", { errors: ["policy: cannot be evaluated"] });
    const decide: Decide = () => Promise.reject(refused);
    const searchIn = (ids: readonly string[]) =>
      openSearch({ graph: graphOf(() => Promise.resolve(ids)), tokens, decide }, "subject");
    expect(await searchIn(["eve"])(snapshot, question, undefined, options)).toEqual({
      results: [{ type: "Nurse", id: "eve" }],
    });
    await expect(searchIn([])(snapshot, question, undefined, options)).rejects.toBe(refused);
  });

  it("decides on the bearer's own subject while the statements run", async () => {
    const order: string[] = [];
    const graph = graphOf(async () => {
      await wait(50);
      order.push("statement");
      return ["eve"];
    });
    const decide: Decide = async () => {
      order.push("own subject");
      return { decision: true };
    };
    const search = openSearch({ graph, tokens, decide }, "subject");
    const { results } = await search(snapshot, question, undefined, options);
    expect(results.map(({ id }) => id)).toEqual(["ann", "eve"]);
    expect(order).toEqual(["own subject", "statement"]);
  });
});
