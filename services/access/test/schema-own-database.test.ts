import { randomBytes } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { ProjectSnapshot } from "@ikg/catalog";
import { Problem } from "@ikg/contracts";
import { connectGraph, type Graph } from "@ikg/graph";
import { newProjectKey, projectKey } from "@ikg/physical";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { type Decide, openDecide } from "../src/decisions/decide.ts";
import { snapshotOf, storedPolicy } from "./policies.ts";
import { projectOf } from "./project.ts";
import { firstConnection, secondConnection as connection } from "./two-databases.ts";

const options = { timeoutMs: 80_000 };
const ownSchemaAgeMs = 1_000;
const policies = [
  storedPolicy({ cypher: "MATCH (subject:Nurse)-[:READS]->(resource:Chart)", version: "3.0-kbac" }),
];

let graph: Graph;
/** The server of the project, for what another release does to it. */
let second: Graph;
let own: ProjectSnapshot;
let shared: ProjectSnapshot;
let decide: Decide;
let statements: string[] = [];

const inSecond = (text: string, params: Readonly<Record<string, unknown>> = {}) =>
  second.shared.write((tx) => tx.run(text, params), options);
const setVersion = (version: number, readableFrom: number) =>
  inSecond(
    "MERGE (c:_Claim {key: 'database'}) SET c.schema_version = $version, c.schema_readable_from = $readableFrom",
    { version, readableFrom },
  );
const clear = () =>
  inSecond("MATCH (n) WHERE n:_Claim OR (n:_Node AND n._key STARTS WITH '/') DETACH DELETE n");

beforeAll(async () => {
  const { url: uri, ...credential } = firstConnection;
  graph = connectGraph(
    { uri, ...credential, ownSchemaAgeMs },
    { onStatement: ({ text }) => void statements.push(text) },
    (host) => Promise.resolve(host),
  );
  second = connectGraph({ ...connection, uri: connection.url });
  // The first statements of a server that has just started take long.
  for (let tries = 0; tries < 10 && !(await second.ready()); tries++);
  await clear();
  await inSecond(
    `CREATE (:_Node:_P:Nurse {_key: '/Nurse/ann', external_id: 'ann', id: 'ann', type: 'Nurse'})
       -[:READS]->(:_Node:_P:Chart {_key: '/Chart/one', external_id: 'one', id: 'one', type: 'Chart'})`,
  );
  own = snapshotOf({ ...projectOf(projectKey("")), connection }, policies);
  shared = snapshotOf(projectOf(newProjectKey(randomBytes(8))), policies);
  decide = openDecide(graph);
}, 120_000);

afterAll(async () => {
  await clear();
  await graph.close();
  await second.close();
});

/** True and false for a decision; status and details of an error. */
const answerOf = async (snapshot: ProjectSnapshot): Promise<unknown> => {
  const question = {
    subject: { type: "Nurse", id: "ann" },
    resource: { type: "Chart", id: "one" },
    action: { name: "READ" },
    context: {},
    token: undefined,
  };
  try {
    return (await decide(snapshot, question, options)).decision;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return [error.status, ...error.errors];
  }
};

const untilAnswered = (expected: unknown): Promise<unknown> =>
  eventually(
    () => answerOf(own),
    (answer) => isDeepStrictEqual(answer, expected),
    { withinMs: 20_000, everyMs: 20 },
  );

describe("decisions on a project's own database", () => {
  it("take no statement more for its version", async () => {
    await setVersion(1, 0);
    statements = [];
    expect(await answerOf(own)).toBe(true);
    expect(statements.filter((text) => text.includes("schema_version"))).toHaveLength(1);
    const begun = performance.now();
    statements = [];
    for (let i = 0; i < 50; i++) expect(await answerOf(own)).toBe(true);
    const ages = Math.ceil((performance.now() - begun) / ownSchemaAgeMs);
    const versionReads = statements.filter((text) => text.includes("schema_version")).length;
    expect(versionReads).toBeLessThanOrEqual(ages);
    expect(statements.length - versionReads).toBe(50);
  });

  it("are 503 while another release has upgraded it, those of other projects are not", async () => {
    await setVersion(7, 6);
    const refused = [
      503,
      "database: the data has schema version 7, which requires a release that supports version 6 or later; this release supports schema versions 0 to 1: run the release that upgraded the data or a later one, see docs/upgrading.md",
    ];
    await untilAnswered(refused);
    for (let i = 0; i < 20; i++) expect(await answerOf(own)).toEqual(refused);
    expect(await answerOf(shared)).toBe(false);
    await setVersion(1, 0);
    await untilAnswered(true);
  }, 60_000);
});
