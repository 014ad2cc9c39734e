import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { connectGraph, type Database, type Graph, type Transaction } from "@ikg/graph";
import { newProjectKey } from "@ikg/physical";
import { type FaultyProxy, openFaultyProxy } from "../../../stack/src/testing/servers/faulty-proxy.ts";
import { neo4jOfTests } from "../../../stack/src/testing/test-environment.ts";
import {
  type Json,
  openProject,
  openTestGraph,
  options,
  type Seed,
  type TestProject,
} from "./ciq-under-test.ts";

/** Queries that do everything that a query can do, broken off at each of their statements in turn. */
const seed: Seed = {
  nodes: {
    "Nurse/n1": {},
    "Ward/w1": { name: "East", "name.metadata.source": "hr" },
    ...Object.fromEntries(
      [1, 2, 3].map((n) => [`Chart/c${n}`, { rank: n, draft: `d${n}`, "rank.metadata.source": "x" }]),
    ),
    "Stamp/s1": { ink: "red" },
  },
  edges: [
    ["Nurse/n1", "ON", "Ward/w1"],
    ...[1, 2, 3].map((n) => ["Ward/w1", "HOLDS", `Chart/c${n}`, { since: n, note: "n" }] as const),
    ...[1, 2, 3].map((n) => ["Chart/c1", "HAS", "Stamp/s1", { n, _discriminator: String(n) }] as const),
  ],
};

const policy = {
  subject: { type: "Nurse" },
  condition: {
    cypher:
      "MATCH (subject:Nurse)-[:ON]->(w:Ward)-[h:HOLDS]->(chart:Chart) OPTIONAL MATCH (chart)-[has:HAS]->(s:Stamp)",
  },
  allowed_reads: { nodes: ["chart.*", "w.*", "s.*"], relationships: ["h", "has"] },
  allowed_upserts: {
    nodes: { existing_nodes: ["chart", "w"], node_types: ["Note", "Seal"] },
    relationships: {
      relationship_types: [
        { type: "SIGNED", source_node_label: "Nurse", target_node_label: "Chart" },
        { type: "ABOUT", source_node_label: "Note", target_node_label: "Chart" },
      ],
      existing_relationships: ["h"],
    },
  },
  allowed_deletes: {
    nodes: ["s", "chart.*", "w.property.name.metadata.source"],
    relationships: ["h.note", "has"],
  },
};

const upserts = {
  upsert_nodes: [
    { name: "chart", properties: [{ type: "state", value: "$state" }] },
    { name: "w", properties: [{ type: "state", value: "$state" }] },
    { name: "note", type: "Note", external_id: "$note", properties: [{ type: "text", value: "$state" }] },
    { name: "seal", type: "Seal", external_id: "seal" },
  ],
  upsert_relationships: [
    { name: "signed", source: "subject", target: "chart", type: "SIGNED" },
    { name: "about", source: "note", target: "chart", type: "ABOUT" },
    { name: "h", properties: [{ type: "seen", value: true }] },
  ],
  nodes: ["chart.property.state", "note.property.text", "s.property.ink"],
  relationships: ["signed.type", "h.seen"],
};
const combined = {
  ...upserts,
  delete_nodes: ["s", "chart.property.draft", "w.property.name.metadata.source"],
  delete_relationships: ["h.note", "has"],
};
const call = { params: { state: "signed", note: "x" }, timeoutMs: 20_000 };

/** What becomes of the statement of that number, which counts from 1; `tx` runs another one in its place or after it. */
type Break = (
  number: number,
  run: () => ReturnType<Transaction["run"]>,
  tx: Transaction,
) => ReturnType<Transaction["run"]>;

let graph: Graph;
let relayed: Graph;
let proxy: FaultyProxy;
let here: TestProject;
let breaking: Break | undefined;
let atCommit: (() => void) | undefined;

/** The database, whose statements and commits fail as `breaking` and `atCommit` say. */
const breakable = (database: Database): Database => ({
  ...database,
  write: (work, given) =>
    database.write(async (tx) => {
      let number = 0;
      const value = await work({
        run: (text, params) => {
          const run = () => tx.run(text, params);
          return breaking === undefined ? run() : breaking(++number, run, tx);
        },
      });
      atCommit?.();
      return value;
    }, given),
  writeOnce: (...statement) => {
    const run = () => database.writeOnce(...statement);
    const tx: Transaction = { run: (text, params) => database.writeOnce(text, params, options) };
    return breaking === undefined ? run() : breaking(1, run, tx);
  },
});
const through = (from: Graph): Graph => ({ ...from, of: (...place) => breakable(from.of(...place)) });

const pk = newProjectKey(randomBytes(8));
let direct: Graph;

/** Everything of the project, times included. */
const exactly = async (): Promise<string> => {
  const nodes = await direct.shared.read(
    `MATCH (n:_P__${pk}) RETURN n._key AS k, labels(n) AS l, properties(n) AS p ORDER BY k`,
    {},
    options,
  );
  const edges = await direct.shared.read(
    `MATCH (n:_P__${pk})-[r]->(m) RETURN n._key AS n, type(r) AS t, m._key AS m, elementId(r) AS i, properties(r) AS p ORDER BY n, t, m, i`,
    {},
    options,
  );
  return JSON.stringify({ nodes, edges }, undefined, 1);
};

beforeAll(async () => {
  direct = openTestGraph();
  await direct.prepare();
  graph = through(direct);
  const { hostname, port } = new URL(neo4jOfTests().uri);
  proxy = await openFaultyProxy({ host: hostname, port: Number(port || 7687) });
  relayed = connectGraph({ ...neo4jOfTests(), uri: `bolt://127.0.0.1:${proxy.port}` });
});
beforeEach(async () => {
  breaking = undefined;
  atCommit = undefined;
  await direct.shared.write((tx) => tx.run(`MATCH (n:_P__${pk}) DETACH DELETE n`, {}), options);
  here = await openPlace(graph, seed);
});
afterAll(async () => {
  await here?.drop();
  await relayed?.close();
  await proxy?.close();
  await direct?.close();
});

let query: Json = combined;
let isOneStatement = false;

/** The first execution in a process also reserves the names that it writes, in statements before its own. */
const openPlace = async (from: Graph, given: Seed): Promise<TestProject> => {
  const place = await openProject(from, given, pk);
  if (isOneStatement) await place.reserveNames(policy, query);
  return place;
};

/** Executes a whole run and tells how many statements it takes. */
const countStatements = async (): Promise<number> => {
  let most = 0;
  breaking = (number, run) => {
    most = Math.max(most, number);
    return run();
  };
  await here.execute(policy, query, call);
  breaking = undefined;
  return most;
};

/** The same on a graph that is put back as it was before. */
const countThenRestore = async (): Promise<number> => {
  const statements = await countStatements();
  await here.drop();
  here = await openPlace(graph, seed);
  return statements;
};

const failsWith = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (reason: unknown) => reason,
  );

class Broken extends Error {}

/** What can happen to a statement that is not yet committed with its own end. */
const before: Readonly<Record<string, (at: number) => Break>> = {
  "the process fails before it is sent": (at) => async (number, run) => {
    if (number === at) throw new Broken();
    return run();
  },
  "the database fails in it": (at) => (number, run, tx) =>
    number === at ? tx.run("UNWIND [1, 0] AS n RETURN 1 / n AS x", {}) : run(),
};
const ways: typeof before = {
  ...before,
  "the process fails once it is carried out": (at) => async (number, run) => {
    const rows = await run();
    if (number === at) throw new Broken();
    return rows;
  },
  "the database fails right after it": (at) => async (number, run, tx) => {
    const rows = await run();
    if (number === at) await tx.run("UNWIND [1, 0] AS n RETURN 1 / n AS x", {});
    return rows;
  },
};

const made = ["Note/x", "Seal/seal", "SIGNED", "ABOUT", '"seen": true', '"state": "signed"'];
const deleted = ["Stamp/s1", '"draft"', '"note": "n"', "name.metadata.source"];

describe.each([
  {
    title: "a combined write of many statements",
    definition: combined,
    least: 14,
    gone: deleted,
    breaks: ways,
  },
  {
    title: "a write of one statement, which commits itself",
    definition: upserts,
    least: 1,
    gone: [],
    breaks: before,
  },
])("$title", ({ definition, least, gone, breaks }) => {
  const isTransaction = least > 1;

  beforeAll(() => {
    query = definition;
    isOneStatement = !isTransaction;
  });

  it("changes everything that it should when nothing fails", async () => {
    const before = await exactly();
    const statements = await countStatements();
    expect(least === 1 ? statements : Math.min(statements, least)).toBe(least);
    const after = await exactly();
    expect(after).not.toBe(before);
    for (const each of made) expect(after).toContain(each);
    for (const each of gone) expect(after).not.toContain(each);
  });

  it.each(Object.keys(breaks))("leaves the graph as it was when, at any statement, %s", async (name) => {
    const statements = await countThenRestore();
    const before = await exactly();
    for (let at = 1; at <= statements; at++) {
      let reached = false;
      const broken = breaks[name]?.(at);
      breaking = (number, run, tx) => {
        reached ||= number === at;
        return broken?.(number, run, tx) ?? run();
      };
      expect([at, await failsWith(here.execute(policy, query, call))]).not.toEqual([at, undefined]);
      breaking = undefined;
      expect([at, reached]).toEqual([at, true]);
      expect([at, await exactly()]).toEqual([at, before]);
    }
  });

  // A statement that commits itself has no such step.
  if (isTransaction)
    it("leaves the graph as it was when the process fails before the commit", async () => {
      const before = await exactly();
      atCommit = () => {
        throw new Broken();
      };
      expect(await failsWith(here.execute(policy, query, call))).toBeInstanceOf(Broken);
      expect(await exactly()).toBe(before);
    });

  it("leaves the graph as it was when the connection is lost, at any statement or before the commit", async () => {
    const statements = await countThenRestore();
    // The same project, through the proxy that is cut.
    const reached = await openPlace(through(relayed), { nodes: {}, edges: [] });
    const before = await exactly();
    for (let at = 1; at <= (isTransaction ? statements + 1 : statements); at++) {
      const cut = (): void => void (proxy.state = "reset");
      breaking = (number, run) => {
        if (number !== at) return run();
        const sent = run();
        cut();
        return sent;
      };
      atCommit = at > statements ? cut : undefined;
      const error = await failsWith(reached.execute(policy, query, call));
      breaking = undefined;
      atCommit = undefined;
      proxy.state = "through";
      expect([at, error]).toMatchObject([at, { status: expect.any(Number) }]);
      expect([at, (error as { code: string }).code]).toEqual([
        at,
        at > statements || !isTransaction ? "commit_unknown" : "unavailable",
      ]);
      expect([at, await exactly()]).toEqual([at, before]);
    }
  });
});
