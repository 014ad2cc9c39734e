import { describe, expect, it } from "@jest/globals";
import { eventually } from "../../../../stack/src/testing/eventually.ts";
import { stuck, turn } from "../../test/stuck-database.ts";
import { StatementTimeout } from "../errors.ts";
import { coalesce } from "./coalesce.ts";
import type { SendRows } from "./coalesce-lane.ts";

const timed = async <T>(work: Promise<T>): Promise<readonly [T, number]> => {
  const since = performance.now();
  const result = await work;
  return [result, performance.now() - since];
};

describe("coalesce with rows that take too long", () => {
  it("answers a neighbour that has less time than they have", async () => {
    const { readRow } = stuck((n) => n === 1);
    const slow = readRow("t", { n: 1 }, { timeoutMs: 3_000 });
    const [answer, ms] = await timed(readRow("t", { n: 2 }, { timeoutMs: 800 }));
    expect(answer).toMatchObject({ n: 2 });
    expect(ms).toBeLessThan(800);
    await expect(slow).rejects.toBeInstanceOf(StatementTimeout);
  });

  it("lets no fresh row wait for them, though they are alone in every statement under way", async () => {
    const { readRow } = stuck((n) => n < 10);
    const slow: Promise<unknown>[] = [];
    for (let n = 0; n < 2; n++) {
      slow.push(readRow("t", { n }, { timeoutMs: 3_000 }).catch(() => "late"));
      await turn();
    }
    const [answer, ms] = await timed(readRow("t", { n: 10 }, { timeoutMs: 3_000 }));
    expect(answer).toMatchObject({ n: 10 });
    expect(ms).toBeLessThan(1_500);
    expect(await Promise.all(slow)).toEqual(["late", "late"]);
  });

  it("asks their parts again beside fresh rows, and three at a time at most", async () => {
    const { seen, readRow } = stuck((n) => n < 64);
    const slow = Array.from({ length: 64 }, (_, n) =>
      readRow("t", { n }, { timeoutMs: 2_000 }).catch(() => "late"),
    );
    // The statement of all has failed and its parts are asked.
    await eventually(
      () => seen.sizes,
      (sizes) => sizes.length >= 3,
      { withinMs: 10_000, everyMs: 5 },
    );
    const [answer, ms] = await timed(readRow("t", { n: 100 }, { timeoutMs: 2_000 }));
    expect(answer).toMatchObject({ n: 100 });
    expect(ms).toBeLessThan(500);
    expect(new Set(await Promise.all(slow))).toEqual(new Set(["late"]));
    expect(seen.most).toBe(4);
  });

  it("answers their neighbours also where statements run one after the other", async () => {
    let last: Promise<unknown> = Promise.resolve();
    const slow = [16, 40];
    const send: SendRows = (_text, rows, { runMs, timeoutMs, signal }) => {
      const run = async () => {
        const limit = Math.min(timeoutMs, runMs());
        if (signal?.aborted !== true && rows.some((row) => slow.includes(Number(row["n"])))) {
          await turn(limit);
          throw new StatementTimeout(limit);
        }
        return rows.map((row) => ({ i: row["i"], n: row["n"] }));
      };
      const answer = last.then(run);
      last = answer.catch(() => undefined);
      return answer;
    };
    const readRow = coalesce(send);
    const reads = Array.from({ length: 64 }, (_, n) => readRow("t", { n }, { timeoutMs: 4_000 }));
    const settled = await Promise.allSettled(reads);
    const late = settled.flatMap(({ status }, n) => (status === "rejected" ? [n] : []));
    expect(late).toEqual(slow);
  });
});
