import { availableParallelism } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import type { Graph } from "@ikg/graph";
import { type CiqProcess, startCiqProcess } from "./ciq-process.ts";
import { openProject, openTestGraph, options, type TestProject } from "./ciq-under-test.ts";
import { type StoredProject, storeProject } from "./stored-project.ts";

const flooding = 12;
const queryMs = 4_000;

let graph: Graph;
/** Two processes, as two services are, with a project that asks each of them. */
let [flooded, other]: CiqProcess[] = [];
let [heavy, light]: StoredProject[] = [];
const data: TestProject[] = [];

/** Never read to the end. */
const endless =
  "MATCH (subject:_Application) MATCH (a:Wide), (b:Wide), (c:Wide), (d:Wide) WITH subject, count(*) AS n";

beforeAll(async () => {
  graph = openTestGraph();
  await graph.prepare();
  [flooded, other] = await Promise.all([
    startCiqProcess({ QUERY_TIMEOUT_MS: String(queryMs) }),
    startCiqProcess(),
  ]);
  [heavy, light] = [await storeProject(graph), await storeProject(graph)];
  for (const [project, { application }] of [
    [heavy, flooded],
    [light, other],
  ] as const)
    data.push(
      await openProject(graph, { nodes: { [`_Application/${application}`]: {} }, edges: [] }, project.pk),
    );
  await data[0]?.run(
    `UNWIND range(1, 1200) AS n
     CREATE (w:_Node:_P__${heavy.pk}:Wide__${heavy.pk})
     SET w = {_key: $prefix + toString(n), external_id: toString(n), type: 'Wide', id: toString(n)}`,
    { prefix: `${heavy.pk}/Wide/` },
  );
  const count = { nodes: [], aggregate_values: ["n"] };
  const policyFields = { subject: { type: "_Application" }, allowed_reads: { aggregate_values: ["n"] } };
  await heavy.query(
    "endless",
    await heavy.policy({ ...policyFields, condition: { cypher: endless } }),
    count,
  );
  const one = "MATCH (subject:_Application) WITH subject, count(*) AS n";
  await light.query("one", await light.policy({ ...policyFields, condition: { cypher: one } }), count);
}, 120_000);
afterAll(async () => {
  await flooded?.end();
  await other?.end();
  await data[0]?.run(`MATCH (w:Wide__${heavy?.pk}) CALL (w) { DETACH DELETE w }`);
  for (const each of data) await each.drop();
  await heavy?.remove();
  await light?.remove();
  await graph.close();
});

/** Statements of the heavy project that the server works on. */
const working = async (): Promise<number> => {
  const [row] = await graph.shared.read(
    "SHOW TRANSACTIONS YIELD currentQuery, status WHERE currentQuery CONTAINS $label AND status STARTS WITH 'Running' RETURN count(*) AS n",
    { label: `Wide__${heavy?.pk}` },
    options,
  );
  return Number(row?.["n"]);
};

it("a project that floods one process has no more heavy statements beside one that asks another process", async () => {
  if (!flooded || !other || !heavy || !light) throw new Error("they are made before");
  const [from, beside, owner, neighbour] = [flooded, other, heavy, light];
  // Now the service knows that the text takes long.
  expect((await from.execute(owner, { id: "endless" })).status).toBe(408);
  const answers: number[] = [];
  const over = new AbortController();
  const asking = (async () => {
    while (!over.signal.aborted) {
      answers.push((await beside.execute(neighbour, { id: "one" })).status);
      await pause(100);
    }
  })();
  await pause(1_500);
  const flood = Promise.all(
    Array.from({ length: flooding }, () => from.execute(owner, { id: "endless" })),
  ).finally(() => over.abort());
  const seen: number[] = [];
  while (!over.signal.aborted) {
    seen.push(await working());
    await pause(100);
  }
  await Promise.all([flood, asking]);
  expect(Math.max(...seen)).toBeGreaterThan(0);
  expect(Math.max(...seen)).toBeLessThanOrEqual(Math.max(1, Math.floor(availableParallelism() / 2)));
  expect([...new Set(answers)]).toEqual([200]);
}, 120_000);
