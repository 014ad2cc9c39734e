import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { connectGraph, type Graph } from "@ikg/graph";
import { type Killable, openKillable } from "../../../stack/src/testing/servers/killable.ts";

/** A server that takes no writes, and one whose transaction log cannot grow: what a service sees of them. */
let neo4j: Killable;
let graph: Graph;
const options = { timeoutMs: 60_000 };

beforeAll(async () => {
  neo4j = await openKillable();
  const { url: uri, username, password } = neo4j;
  graph = connectGraph({ uri, username, password });
  await graph.prepare();
}, 300_000);
afterAll(async () => {
  await graph?.close();
  await neo4j?.remove();
}, 120_000);

const write = (count: number): Promise<unknown> =>
  graph.shared.write(
    (tx) =>
      tx.run("UNWIND range(1, $count) AS i CREATE (:Mark {text: $text})", { count, text: "x".repeat(1_000) }),
    options,
  );
const read = (): Promise<unknown> => graph.shared.read("RETURN 1 AS one", {}, options);
const unavailable = { code: "unavailable", status: 503, headers: { "Retry-After": "5" } };

/** Until what was lost with the server that was killed is made anew. */
const readAgain = async (): Promise<void> => {
  for (let tries = 1; ; tries++)
    try {
      await read();
      return;
    } catch (error) {
      if (tries === 60) throw error;
      await pause(500);
    }
};

describe("a database", () => {
  it("that is read-only answers reads; writes are unavailable", async () => {
    await neo4j.restartReadOnly();
    await readAgain();
    await expect(write(1)).rejects.toMatchObject(unavailable);
    await expect(read()).resolves.toEqual([{ one: 1 }]);
  }, 300_000);

  it("whose log cannot grow loses the commit that needed it, and is unavailable until it is restarted", async () => {
    await neo4j.kill();
    await neo4j.start();
    await readAgain();
    await write(1);
    await neo4j.limitFiles(1_000_000);
    const met: unknown = await (async () => {
      for (let tries = 0; tries < 100; tries++) await write(500);
    })().catch((error: unknown) => error);
    expect(met).toMatchObject({ code: "commit_unknown", status: 500 });
    for (const ask of [() => write(1), read]) await expect(ask()).rejects.toMatchObject(unavailable);
    // Room alone does not help.
    await neo4j.limitFiles("unlimited");
    await expect(read()).rejects.toMatchObject(unavailable);
    await neo4j.kill();
    await neo4j.start();
    await readAgain();
    await write(1);
  }, 300_000);
});
