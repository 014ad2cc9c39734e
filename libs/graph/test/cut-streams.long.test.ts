import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "@jest/globals";
import { neo4jOfTests } from "../../../stack/src/testing/test-environment.ts";
import { connectGraph, type Database, type Graph, type ResponseBudget } from "../src/index.ts";

/** Connections are few, so that each of them carries statements that are cut and whole ones in turn. */
const poolSize = 3;
const text = "x".repeat(300_000);
const rows = "UNWIND range(1, 60) AS x RETURN x, $text AS text";
const heavy = { timeoutMs: 60_000 };
/** A light statement takes some milliseconds. */
const light = { timeoutMs: 5_000 };

let graph: Graph;
let database: Database;
beforeEach(() => {
  graph = connectGraph({ ...neo4jOfTests(), poolSize });
  database = graph.shared;
});
afterEach(() => graph.close());

const budgetOf = (consume: ResponseBudget["consume"]): ResponseBudget => ({ begin: () => {}, consume });

/** Light reads on every connection, as many as show each of them in turn. */
const requireWhole = async (count = 4 * poolSize): Promise<void> => {
  const answers = await Promise.all(
    Array.from({ length: count }, (_, x) => database.read("RETURN $x AS x", { x }, light)),
  );
  expect(answers).toEqual(Array.from({ length: count }, (_, x) => [{ x }]));
};

it("a read that ends with the bytes that its response budget stops at leaves a connection that is read", async () => {
  const read = (): Promise<unknown> => {
    let isEnough = false;
    const responseBudget = budgetOf(() => (isEnough ? new Promise<void>(() => {}) : undefined));
    const onRow = (): boolean => {
      isEnough = true;
      return false;
    };
    return database.read("UNWIND range(1, 20) AS x RETURN x", {}, { ...heavy, responseBudget, onRow });
  };
  await Promise.all(Array.from({ length: poolSize }, read));
  await requireWhole();
}, 30_000);

it("a read that has enough rows asks nothing more on its connection", async () => {
  for (let round = 0; round < 20; round++) {
    const enough = 1 + (round % 17);
    const cut = async (): Promise<void> => {
      let seen = 0;
      await database.read(
        rows,
        { text: text.slice(0, 1 + (round % 4) * 90_000) },
        { ...heavy, onRow: () => ++seen < enough },
      );
    };
    await Promise.all(Array.from({ length: poolSize }, cut));
    await requireWhole();
  }
}, 60_000);

/** Ways in which a heavy read ends before its answer does. */
const ways: Readonly<Record<string, (round: number) => Promise<unknown>>> = {
  "has enough rows": (round) => {
    let seen = 0;
    return database.read(rows, { text }, { ...heavy, onRow: () => ++seen < 1 + (round % 12) });
  },
  "has enough rows and waits between them": (round) => {
    let seen = 0;
    return database.read(
      rows,
      { text },
      { ...heavy, responseBudget: budgetOf(() => pause(1)), onRow: () => ++seen < 1 + (round % 5) },
    );
  },
  "may hold no more": (round) => {
    let left = 20_000 * (1 + (round % 40));
    const consume = (bytes: number): undefined => {
      if ((left -= bytes) < 0) throw new Error("enough");
    };
    return database.read(rows, { text }, { ...heavy, responseBudget: budgetOf(consume), onRow: () => true });
  },
  "is given no memory": (round) =>
    database.read(
      rows,
      { text },
      {
        ...heavy,
        responseBudget: budgetOf(() => pause(round % 5).then(() => Promise.reject(new Error("none")))),
      },
    ),
  "is aborted while it waits": (round) =>
    database.read(
      rows,
      { text },
      {
        ...heavy,
        responseBudget: budgetOf(() => pause(1_000)),
        signal: AbortSignal.timeout(5 + 3 * (round % 20)),
      },
    ),
  "is aborted": (round) =>
    database.read(rows, { text }, { ...heavy, signal: AbortSignal.timeout(5 + 3 * (round % 20)) }),
  "has no time left": (round) =>
    database.read(
      rows,
      { text },
      { timeoutMs: 5 + 3 * (round % 20), responseBudget: budgetOf(() => pause(50)), onRow: () => true },
    ),
};

it.each(Object.keys(ways))(
  "light reads beside one that %s are all answered",
  async (way) => {
    const ended = new AbortController();
    const beside = (async () => {
      while (!ended.signal.aborted) await requireWhole(poolSize);
    })();
    for (let round = 0; round < 12; round++)
      await Promise.allSettled([ways[way]?.(round), ways[way]?.(round + 7)]);
    ended.abort();
    await beside;
    await requireWhole();
  },
  120_000,
);

it("a write that is stopped while its response budget waits reports its outcome", async () => {
  const waiting = budgetOf(() => new Promise<void>(() => {}));
  const started = performance.now();
  for (let round = 0; round < poolSize; round++)
    await expect(
      database.write((tx) => tx.run("RETURN [x IN range(1, 50) | $text] AS list", { text }), {
        timeoutMs: 300,
        responseBudget: waiting,
      }),
    ).rejects.toMatchObject({ name: "StatementTimeout" });
  expect(performance.now() - started).toBeLessThan(2_500);
  await requireWhole();
}, 30_000);
