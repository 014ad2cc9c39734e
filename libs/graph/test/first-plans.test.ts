import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { randomUUID } from "node:crypto";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { StatementTimeout } from "../src/index.ts";
import { watchedGraph } from "./backend.ts";

const { graph, events } = watchedGraph();
const database = graph.shared;
const options = { timeoutMs: 60_000 };

// The first read of all learns which server it is.
beforeAll(() => database.read("RETURN 1 AS one", {}, options));
beforeEach(() => void events.splice(0));
afterAll(() => graph.close());

/** A text that no server has planned, and that takes long to plan: as many patterns as its planner compares in every order. */
const slowToPlan = (): string => {
  const labels = Array.from({ length: 9 }, (_, n) => `(a:\`x${randomUUID()}\`)-[:R${n}]-(:\`y${n}\`)`);
  return `MATCH ${labels.join(", ")} RETURN count(*) AS n`;
};

describe("a read that the server has not planned", () => {
  it("ends when its caller leaves, and the next one is planned", async () => {
    const text = slowToPlan();
    const left = database.read(text, {}, { timeoutMs: 5 });
    const next = database.read(text, {}, options);
    await expect(left).rejects.toBeInstanceOf(StatementTimeout);
    await expect(next).resolves.toEqual([{ n: 0 }]);
    expect(events.filter((event) => event.text === text).map(({ failed }) => failed)).toEqual([true, false]);
  });

  it("goes alone, and equal ones follow it", async () => {
    const text = slowToPlan();
    const started = performance.now();
    await Promise.all(Array.from({ length: 10 }, () => database.read(text, {}, options)));
    const all = performance.now() - started;
    const times = events.filter((event) => event.text === text).map(({ ms }) => ms);
    const longest = Math.max(...times);
    expect(times).toHaveLength(10);
    expect(times.filter((ms) => ms > longest / 2)).toHaveLength(1);
    expect(all).toBeLessThan(2 * longest);
  });
});

describe("transactions whose first statement the server has not planned", () => {
  it("run as if each were alone, also where the first one fails", async () => {
    const text = `UNWIND $rows AS row WITH row WHERE row <> 'x${randomUUID()}' RETURN count(row) AS n`;
    const second = "RETURN 2 AS n";
    const one = (rows: unknown[]) =>
      database.write((tx) => Promise.all([tx.run(text, { rows }), tx.run(second, {})]), options);
    const failing = database.write(async (tx) => {
      await tx.run(text, { rows: [1, 2] });
      throw new Error("given up");
    }, options);
    const written = await Promise.allSettled([failing, ...[3, 4, 5].map((n) => one([n, n, n]))]);
    expect(written.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled", "fulfilled"]);
    for (const each of written.slice(1)) expect(each).toMatchObject({ value: [[{ n: 3 }], [{ n: 2 }]] });
  });

  it("end when they are stopped while they wait, and keep no other waiting", async () => {
    const text = slowToPlan();
    const stop = new AbortController();
    const first = database.write((tx) => tx.run(text, {}), { ...options, signal: stop.signal });
    const second = database.write((tx) => tx.run(text, {}), { ...options, signal: stop.signal });
    const third = database.write((tx) => tx.run(text, {}), options);
    stop.abort(new Error("stopped"));
    await expect(first).rejects.toThrow("stopped");
    await expect(second).rejects.toThrow("stopped");
    await expect(third).resolves.toEqual([{ n: 0 }]);
    const left = () =>
      database.read(
        "SHOW TRANSACTIONS YIELD currentQuery WHERE currentQuery CONTAINS $text RETURN count(*) AS count",
        { text: text.slice(0, 60) },
        options,
      );
    await eventually(left, ([row]) => row?.["count"] === 0, { withinMs: 5_000, everyMs: 50 });
  });
});
