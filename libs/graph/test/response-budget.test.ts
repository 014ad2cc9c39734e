import { setTimeout as pause } from "node:timers/promises";
import { afterAll, describe, expect, it } from "@jest/globals";
import { isLongRun } from "../../../stack/src/testing/test-environment.ts";
import type { ResponseBudget } from "../src/index.ts";
import { watchedGraph } from "./backend.ts";

const { graph } = watchedGraph();
const database = graph.shared;
const options = { timeoutMs: 60_000 };
afterAll(() => graph.close());

/** A list of ten megabytes, that comes as one message. */
const long = "RETURN [x IN range(1, 100) | $text] AS list";
const text = "x".repeat(100_000);

class Enough extends Error {}

const budgetOf = (consume: (sum: number) => Promise<void> | undefined): ResponseBudget => {
  let sum = 0;
  return {
    begin: () => {
      sum = 0;
    },
    consume: (bytes) => consume((sum += bytes)),
  };
};

describe("the response budget of a statement", () => {
  it("counts the bytes of its answer alone, as they come", async () => {
    let seen = 0;
    let pieces = 0;
    const responseBudget = budgetOf((sum) => {
      seen = sum;
      pieces++;
      return undefined;
    });
    await database.read(long, { text }, { ...options, responseBudget });
    expect(seen).toBeGreaterThan(10_000_000);
    expect(seen).toBeLessThan(10_100_000);
    expect(pieces).toBeGreaterThan(20);
    await database.read("RETURN 1 AS x", {}, { ...options, responseBudget });
    expect(seen).toBeLessThan(1_000);
    await database.read(long, { text }, options);
    expect(seen).toBeLessThan(1_000);
  });

  it("ends a statement in the middle of a message, and the connections after it are whole", async () => {
    let most = 0;
    const responseBudget = budgetOf((sum) => {
      most = sum;
      if (sum > 1_000_000) throw new Enough();
      return undefined;
    });
    for (let round = 0; round < (isLongRun() ? 5 : 2); round++)
      await expect(database.read(long, { text }, { ...options, responseBudget })).rejects.toThrow(Enough);
    await pause(200);
    // A piece more than the limit at most.
    expect(most).toBeLessThan(1_200_000);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, x) => database.read("RETURN $x AS x", { x }, options)),
    );
    expect(answers).toEqual(Array.from({ length: 20 }, (_, x) => [{ x }]));
  });

  it("keeps the connection from being read while it waits", async () => {
    const gate = Promise.withResolvers<void>();
    let seen = 0;
    const responseBudget = budgetOf((sum) => {
      seen = sum;
      return sum > 200_000 ? gate.promise : undefined;
    });
    const reading = database.read(long, { text }, { ...options, responseBudget });
    await pause(500);
    // What had come before the pause took effect.
    expect(seen).toBeLessThan(1_000_000);
    gate.resolve();
    const [row] = await reading;
    expect(row?.["list"]).toHaveLength(100);
  });

  it("ends a statement whose wait fails, or whose time is over while it waits", async () => {
    const failing = budgetOf(() => Promise.reject(new Enough()));
    await expect(database.read(long, { text }, { ...options, responseBudget: failing })).rejects.toThrow(
      Enough,
    );
    const never = budgetOf(() => new Promise(() => undefined));
    await expect(
      database.read(long, { text }, { timeoutMs: 300, responseBudget: never }),
    ).rejects.toMatchObject({
      name: "StatementTimeout",
    });
    expect(await database.read("RETURN 1 AS x", {}, options)).toEqual([{ x: 1 }]);
  });

  it("ends a write before its commit, and nothing is written", async () => {
    const label = "_ScratchResponseBudget";
    const responseBudget = budgetOf((sum) => {
      if (sum > 1_000_000) throw new Enough();
      return undefined;
    });
    const write = database.write(
      async (tx) => {
        await tx.run(`CREATE (:${label})`, {});
        return tx.run(long, { text });
      },
      { ...options, responseBudget },
    );
    await expect(write).rejects.toThrow(Enough);
    expect(await database.read(`MATCH (n:${label}) RETURN count(n) AS n`, {}, options)).toEqual([{ n: 0 }]);
  });
});

describe("rows that are taken as they come", () => {
  it("are not kept, and end the statement when there are enough", async () => {
    const seen: unknown[] = [];
    const rows = await database.read(
      "UNWIND range(1, 1000000) AS x RETURN x",
      {},
      {
        ...options,
        onRow: ({ x }) => seen.push(x) < 10,
      },
    );
    expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(rows).toHaveLength(10);
  });

  it("end it with what the taker throws", async () => {
    const onRow = (): boolean => {
      throw new Enough();
    };
    await expect(database.read("RETURN 1 AS x", {}, { ...options, onRow })).rejects.toThrow(Enough);
  });
});
