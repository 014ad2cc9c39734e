import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Graph } from "@ikg/graph";
import { requireVariable } from "../../../stack/src/testing/test-environment.ts";
import { type Answer, type CiqProcess, startCiqProcess } from "./ciq-process.ts";
import { type Json, openProject, openTestGraph, type TestProject } from "./ciq-under-test.ts";
import { type StoredProject, storeProject } from "./stored-project.ts";

const header = "X-Consistency-Token";

let graph: Graph;
let stored: StoredProject;
let other: StoredProject;
let data: TestProject;
/** The same server, once as the one that it is, and once as what may be several. */
let single: CiqProcess;
let clustered: CiqProcess;

beforeAll(async () => {
  graph = openTestGraph();
  await graph.prepare();
  stored = await storeProject(graph);
  other = await storeProject(graph);
  single = await startCiqProcess();
  clustered = await startCiqProcess({ NEO4J_URI: requireVariable("NEO4J_URI").replace(/^bolt/, "neo4j") });
  const callers = [single, clustered].map(({ application }) => [`_Application/${application}`, {}] as const);
  data = await openProject(
    graph,
    { nodes: { ...Object.fromEntries(callers), "Thing/a": { n: 0 } }, edges: [] },
    stored.pk,
  );
  const policy = await stored.policy({
    subject: { type: "_Application" },
    condition: { cypher: "MATCH (subject:_Application), (t:Thing)" },
    allowed_reads: { nodes: ["t.property.n"] },
    allowed_upserts: { nodes: { existing_nodes: ["t"] } },
  });
  const shown = { nodes: ["t.property.n"] };
  await stored.query("read", policy, shown);
  const set = { name: "t", properties: [{ type: "n", value: "$n" }] };
  await stored.query("write", policy, { ...shown, upsert_nodes: [set] });
});
afterAll(async () => {
  await single?.end();
  await clustered?.end();
  await data?.drop();
  await stored?.remove();
  await other?.remove();
  await graph.close();
});

const ask = (
  ciq: CiqProcess,
  id: string,
  token: string | undefined,
  input_params: Json = {},
): Promise<Answer> =>
  ciq.execute(stored, { id, input_params }, token === undefined ? {} : { headers: { [header]: token } });
const rows = (n: number): Json => ({ data: [{ nodes: { "t.property.n": n } }] });
const stateOf = async (): Promise<unknown> => (await data.node("Thing/a"))?.fields["n"];

describe("X-Consistency-Token on POST /ciq/v1/execute", () => {
  it("is answered by what writes, and sent back with a read or another write", async () => {
    for (const ciq of [single, clustered]) {
      const first = await ask(ciq, "write", undefined, { n: 1 });
      const token = first.headers.get(header) ?? "";
      expect([first.status, first.body, token]).toEqual([200, rows(1), expect.stringMatching(/^[\w-]+$/)]);
      const read = await ask(ciq, "read", token);
      expect([read.status, read.body, read.headers.get(header)]).toEqual([200, rows(1), null]);
      const second = await ask(ciq, "write", token, { n: 2 });
      expect([second.status, second.body]).toEqual([200, rows(2)]);
      expect([null, token]).not.toContain(second.headers.get(header));
    }
  });

  it("is waited for where servers may be behind: an unknown state is no answer, and nothing is written", async () => {
    const before = await stateOf();
    const unknown = clustered.consistencyToken(stored, { "": ["FB:unknown"] });
    for (const id of ["read", "write"]) {
      const { status, body } = await ask(clustered, id, unknown, { n: 99 });
      expect([status, Object.keys(body)]).toEqual([500, ["message"]]);
    }
    expect(await stateOf()).toBe(before);
    // One server knows all that it has answered; a state of another database of the graph is none of its concern.
    expect((await ask(single, "read", single.consistencyToken(stored, { "": ["FB:unknown"] }))).status).toBe(
      200,
    );
    const east = clustered.consistencyToken(stored, { east: ["FB:unknown"] });
    expect((await ask(clustered, "read", east)).status).toBe(200);
  });

  it("is 400 when it is not one of this project, before anything is looked up", async () => {
    const before = await stateOf();
    const good = single.consistencyToken(stored, {});
    const short = good.slice(0, -4);
    const bad = ["", "x", short, `${short}AAAA`, `${good}.x`, single.consistencyToken(other, {})];
    for (const token of bad)
      for (const id of ["read", "write", "not-there"]) {
        const { status, body } = await ask(single, id, token, { n: 99 });
        expect([token, status, body]).toEqual([
          token,
          400,
          { message: "Bad Request", errors: [`${header}: not a token of this project`] },
        ]);
      }
    expect(await stateOf()).toBe(before);
    expect((await ask(single, "read", good)).status).toBe(200);
  });
});
