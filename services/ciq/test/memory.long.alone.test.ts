import type { Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Graph } from "@ikg/graph";
import { type Answer, type CiqProcess, startCiqProcess } from "./ciq-process.ts";
import { type Json, openProject, openTestGraph, type TestProject } from "./ciq-under-test.ts";
import { type StoredProject, storeProject } from "./stored-project.ts";

/** Resident memory of the service, in MiB, whatever is asked. */
const most = 400;
const pageBytes = 8_000_000;
const callers = 24;
const rounds = 6;

/** A property of a megabyte, of 20 nodes; each stands in 60 rows. */
const [bigNodes, ticks] = [20, 60];

let graph: Graph;
let stored: StoredProject;
let data: TestProject;
let ciq: CiqProcess;

const rows = "MATCH (subject:_Application) MATCH (b:Big) MATCH (t:Tick)";
const policies: Readonly<Record<string, readonly [policy: Json, query: Json]>> = {
  properties: [
    { condition: { cypher: rows }, allowed_reads: { nodes: ["b.*", "t.*"] } },
    { nodes: ["b.property.text", "t.external_id"] },
  ],
  everything: [
    { condition: { cypher: rows }, allowed_reads: { nodes: ["b.*", "t.*"] } },
    { nodes: ["b.*", "t.external_id"], batch_read: true },
  ],
  whole: [
    { condition: { cypher: rows }, allowed_reads: { nodes: ["b", "t.*"] } },
    { nodes: ["b", "t.external_id"] },
  ],
  collected: [
    {
      condition: { cypher: `${rows} WITH subject, t, collect(b) AS all` },
      allowed_reads: { nodes: ["t.*"], aggregate_values: ["all"] },
    },
    { nodes: ["t.external_id"], aggregate_values: ["all"] },
  ],
  marked: [
    {
      condition: { cypher: rows },
      allowed_reads: { nodes: ["b.*", "t.*"] },
      allowed_upserts: { nodes: { existing_nodes: ["t"] } },
    },
    {
      upsert_nodes: [{ name: "t", properties: [{ type: "marked", value: true }] }],
      nodes: ["b.property.text"],
    },
  ],
  small: [
    {
      condition: { cypher: "MATCH (subject:_Application) MATCH (t:Tick)" },
      allowed_reads: { nodes: ["t.*"] },
    },
    { nodes: ["t.external_id"] },
  ],
};

beforeAll(async () => {
  graph = openTestGraph();
  await graph.prepare();
  stored = await storeProject(graph);
  ciq = await startCiqProcess({ NODE_OPTIONS: "" });
  const nodes = {
    [`_Application/${ciq.application}`]: {},
    ...Object.fromEntries(Array.from({ length: ticks }, (_, at) => [`Tick/t${at}`, {}])),
  };
  data = await openProject(graph, { nodes, edges: [] }, stored.pk);
  for (let at = 0; at < bigNodes; at++)
    await data.run(
      `CREATE (b:_Node:_P__${stored.pk}:Big__${stored.pk})
       SET b = {_key: $key, external_id: $id, type: 'Big', id: $key, text: $text}`,
      { key: `${stored.pk}/Big/b${at}`, id: `b${at}`, text: `${at} `.padEnd(1_000_000, "xü") },
    );
  for (const [name, [policy, query]] of Object.entries(policies))
    await stored.query(name, await stored.policy({ subject: { type: "_Application" }, ...policy }), query);
}, 120_000);
afterAll(async () => {
  await ciq?.end();
  await data?.drop();
  await stored?.remove();
  await graph.close();
});

const ask = (id: string, more: Json = {}, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
  ciq.execute(stored, { id, page_size: 1_000, ...more }, { headers });

const rowsOf = ({ body }: Answer): readonly { nodes: Readonly<Record<string, unknown>> }[] =>
  body["data"] as { nodes: Readonly<Record<string, unknown>> }[]; // of an answer that is 200

/** The most memory that the service has while something is done. */
const peakOf = async (work: () => Promise<unknown>): Promise<number> => {
  let peak = ciq.memory();
  const timer = setInterval(() => (peak = Math.max(peak, ciq.memory())), 25);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return Math.max(peak, ciq.memory());
};

describe("a page of large rows", () => {
  it("ends before it has more bytes than it may, and the pages together are all rows", async () => {
    const seen: string[] = [];
    let token = 0;
    for (let page = 0; page < 3; page++) {
      const answer = await ask("properties", { page_token: token });
      expect(answer.status).toBe(200);
      const shown = rowsOf(answer);
      expect(Buffer.byteLength(JSON.stringify(shown))).toBeLessThanOrEqual(pageBytes);
      expect(answer.body["next_page_token"]).toBe(token + shown.length);
      seen.push(
        ...shown.map(
          ({ nodes }) => `${String(nodes["b.property.text"]).slice(0, 3)}${String(nodes["t.external_id"])}`,
        ),
      );
      token += shown.length;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.length).toBeGreaterThan(10);
    const last = await ask("properties", { page_token: bigNodes * ticks - 2 });
    expect(rowsOf(last)).toHaveLength(2);
    expect(last.body).not.toHaveProperty("next_page_token");
  });

  it("of which one holds a single row is followed by the next one", async () => {
    const keys = async (more: Json) => {
      const answer = await ask("properties", { page_bytes: 2_000_000, ...more });
      expect(answer.status).toBe(200);
      const shown = rowsOf(answer).map(({ nodes }) => String(nodes["t.external_id"]));
      return { shown, next: answer.body["next_page_token"] };
    };
    const seen: string[] = [];
    for (let page_token: unknown = 0; seen.length < 4;) {
      const { shown, next } = await keys({ page_token });
      expect(shown).toHaveLength(1);
      seen.push(...shown);
      page_token = next;
    }
    const all = rowsOf(await ask("properties", { page_size: 4 }));
    expect(seen).toEqual(all.map(({ nodes }) => nodes["t.external_id"]));
  });

  it("has fewer bytes where the caller wants fewer, never more than the project's limit", async () => {
    const few = await ask("small", { page_bytes: 1_000 });
    expect(few.body["next_page_token"]).toBe(rowsOf(few).length);
    expect(Buffer.byteLength(JSON.stringify(few.body["data"]))).toBeLessThanOrEqual(1_002);
    const all = await ask("small", { page_bytes: 1_000_000_000 });
    expect(rowsOf(all)).toHaveLength(ticks);
    expect((await ask("small", { page_bytes: 10 })).status).toBe(400);
  });

  it("whose first row alone is too large is 422 with the limit's name", async () => {
    const refused = await ask("properties", { page_bytes: 500_000, page_token: 3 });
    expect([refused.status, refused.body]).toEqual([
      422,
      {
        message: "Unprocessable Entity",
        errors: ["page_token: row 3 alone is larger than a page may be (limit page_bytes, 500000)"],
      },
    ]);
    expect(await ask("collected")).toMatchObject({ status: 422 });
  });

  it("of a writing query ends early too, after everything was written", async () => {
    const answer = await ask("marked");
    expect(answer.status).toBe(200);
    expect(answer.body["next_page_token"]).toBe(rowsOf(answer).length);
    const [row] = (await graph.shared.read(
      `MATCH (t:Tick__${stored.pk} {marked: true}) RETURN count(t) AS n`,
      {},
      { timeoutMs: 10_000 },
    )) as { n: number }[]; // as the statement says
    expect(row?.n).toBe(ticks);
  });
});

describe(`the memory of the service stays below ${most} MB`, () => {
  it.each(["properties", "everything", "whole", "collected"])(
    "while %s of many large rows are asked for by many callers",
    async (id) => {
      const statuses = new Map<number, number>();
      const peak = await peakOf(async () => {
        for (let round = 0; round < rounds; round++) {
          const answers = await Promise.all(
            Array.from({ length: callers }, async (_, caller) => {
              const headers: Record<string, string> = caller % 8 === 0 ? { "X-Explain": "true" } : {};
              const { status } = await ask(id, { page_token: caller * 7 }, headers);
              return status;
            }),
          );
          for (const status of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }
      });
      const summary = `peak ${peak} MB, statuses ${JSON.stringify([...statuses])}`;
      expect({ summary, small: peak < most }).toEqual({ summary, small: true });
      // What is refused says for how long.
      expect([...statuses.keys()].filter((status) => ![200, 408, 422, 429, 503].includes(status))).toEqual(
        [],
      );
    },
    300_000,
  );

  it("while callers do not read their answers; others get theirs", async () => {
    const sockets: Socket[] = [];
    const peak = await peakOf(async () => {
      for (let caller = 0; caller < callers; caller++)
        sockets.push(await ciq.askUnread(stored, { id: "properties", page_size: 1_000 }));
      await pause(3_000);
      const small = await ask("small");
      expect(rowsOf(small)).toHaveLength(ticks);
    });
    expect({ peak, small: peak < most }).toEqual({ peak, small: true });
    // Answers that are not read are aborted, and their memory is released.
    await pause(12_000);
    for (const socket of sockets) socket.destroy();
    expect((await ask("properties")).status).toBe(200);
  }, 120_000);
});
