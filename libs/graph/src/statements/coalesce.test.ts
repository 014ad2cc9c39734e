import { describe, expect, it } from "@jest/globals";
import { Problem } from "@ikg/contracts";
import { Neo4jError } from "neo4j-driver";
import { eventually } from "../../../../stack/src/testing/eventually.ts";
import { coalesce } from "./coalesce.ts";
import type { SendRows } from "./coalesce-lane.ts";
import { problemOf, StatementTimeout } from "../errors.ts";
import type { Params, Row } from "../types.ts";

const options = { timeoutMs: 1_000 };
/** Lets time pass, and then what was due at its end: on a busy machine a timer can come before it. */
const turn = (ms = 5) =>
  new Promise((resolve) => setTimeout(() => setImmediate(() => setImmediate(resolve)), ms));

interface Sent {
  readonly text: string;
  readonly rows: readonly Params[];
  readonly signal: AbortSignal | undefined;
  answer(): void;
  fail(error: unknown): void;
}

/** A database that answers when the test says so: each row with ten times its `n`. */
const hand = () => {
  const sent: Sent[] = [];
  const send: SendRows = (text, rows, { signal }) =>
    new Promise<Row[]>((resolve, reject) => {
      signal?.addEventListener("abort", () => reject(signal.reason));
      sent.push({
        text,
        rows,
        signal,
        // In reverse: rows are told apart by number and never by place.
        answer: () => resolve(rows.map((row) => ({ i: row["i"], ten: Number(row["n"]) * 10 })).toReversed()),
        fail: reject,
      });
    });
  return { sent, readRow: coalesce(send) };
};

describe("coalesce", () => {
  it("sends a lone row at once and hands it its answer", async () => {
    const { sent, readRow } = hand();
    const answer = readRow("t", { n: 4 }, options);
    await turn();
    expect(sent.map(({ rows }) => rows)).toEqual([[{ n: 4, i: expect.any(Number) }]]);
    sent[0]?.answer();
    expect(await answer).toMatchObject({ ten: 40 });
  });

  it("joins the rows of one turn, keeps two statements under way and lets the others wait for the next", async () => {
    const { sent, readRow } = hand();
    const ask = (n: number) => readRow("t", { n }, options);
    const first = [1, 2, 3].map(ask);
    await turn();
    const second = [4, 5].map(ask);
    await turn();
    const third = [6, 7, 8].map(ask);
    await turn();
    expect(sent.map(({ rows }) => rows.length)).toEqual([3, 2]);
    sent[0]?.answer();
    expect(await Promise.all(first)).toMatchObject([{ ten: 10 }, { ten: 20 }, { ten: 30 }]);
    await turn();
    expect(sent.map(({ rows }) => rows.length)).toEqual([3, 2, 3]);
    sent[1]?.answer();
    sent[2]?.answer();
    expect(await Promise.all([...second, ...third])).toMatchObject(
      [4, 5, 6, 7, 8].map((n) => ({ ten: n * 10 })),
    );
  });

  it("puts at most 256 rows into a statement and never joins two texts", async () => {
    const { sent, readRow } = hand();
    const asked = Array.from({ length: 600 }, (_, n) => readRow(n === 599 ? "other" : "t", { n }, options));
    await turn();
    expect(sent.map(({ text, rows }) => [text, rows.length])).toEqual([
      ["t", 256],
      ["t", 256],
      ["other", 1],
    ]);
    sent.forEach((each) => each.answer());
    await turn();
    expect(sent[3]?.rows).toHaveLength(87);
    sent[3]?.answer();
    const answers = await Promise.all(asked);
    expect(answers.map((row) => row?.["ten"])).toEqual(Array.from({ length: 600 }, (_, n) => n * 10));
  });

  it("gives undefined to a row without a result and the first result to one with several", async () => {
    const readRow = coalesce(async (_text, rows) => [
      { i: rows[1]?.["i"], x: "first" },
      { i: rows[1]?.["i"], x: "second" },
    ]);
    expect(await Promise.all([readRow("t", {}, options), readRow("t", {}, options)])).toEqual([
      undefined,
      { i: expect.any(Number), x: "first" },
    ]);
  });

  it("runs the rows one by one when the joint statement fails, so that only the guilty one fails", async () => {
    const sizes: number[] = [];
    const divisionByZero = problemOf(
      new Neo4jError("/ by zero", "Neo.ClientError.Statement.ArithmeticError", "", ""),
      1,
    );
    const readRow = coalesce(async (_, rows) => {
      sizes.push(rows.length);
      if (rows.some((row) => row["n"] === 0)) throw divisionByZero;
      return rows.map((row) => ({ i: row["i"], n: row["n"] }));
    });
    const settled = await Promise.allSettled([3, 0, 5].map((n) => readRow("t", { n }, options)));
    expect(settled).toMatchObject([
      { status: "fulfilled", value: { n: 3 } },
      { status: "rejected", reason: { name: "DataFault" } },
      { status: "fulfilled", value: { n: 5 } },
    ]);
    expect(sizes).toEqual([3, 2, 1, 1, 1]);
  });

  it("does not ask a lost database row by row, nor a text that writes", async () => {
    for (const error of [
      new Problem("unavailable"),
      problemOf(new Neo4jError("", "Neo.ClientError.Statement.AccessMode", "", ""), 1),
    ]) {
      let count = 0;
      const readRow = coalesce(async () => {
        count++;
        throw error;
      });
      const settled = await Promise.allSettled([1, 2, 3].map((n) => readRow("t", { n }, options)));
      expect(settled.map((each) => each.status)).toEqual(["rejected", "rejected", "rejected"]);
      expect(count).toBe(1);
    }
  });

  it("drops the row of a caller that left before it was sent", async () => {
    const { sent, readRow } = hand();
    const caller = new AbortController();
    const gone = readRow("t", { n: 1 }, { ...options, signal: caller.signal });
    const stays = readRow("t", { n: 2 }, options);
    caller.abort(new Error("left"));
    await expect(gone).rejects.toThrow("left");
    await turn();
    expect(sent[0]?.rows).toEqual([{ n: 2, i: expect.any(Number) }]);
    sent[0]?.answer();
    expect(await stays).toMatchObject({ ten: 20 });
    await expect(readRow("t", { n: 3 }, { ...options, signal: caller.signal })).rejects.toThrow("left");
  });

  it("stops a statement when every one of its callers left, and not before", async () => {
    const { sent, readRow } = hand();
    const callers = [new AbortController(), new AbortController()];
    const asked = callers.map(({ signal }, n) => readRow("t", { n }, { ...options, signal }));
    await turn();
    callers[0]?.abort(new Error("left"));
    expect(sent[0]?.signal?.aborted).toBe(false);
    callers[1]?.abort(new Error("left"));
    expect(sent[0]?.signal?.aborted).toBe(true);
    expect((await Promise.allSettled(asked)).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  });

  it("keeps each caller's limit, whatever the others' is", async () => {
    const { sent, readRow } = hand();
    const impatient = readRow("t", { n: 1 }, { timeoutMs: 20 });
    const patient = readRow("t", { n: 2 }, { timeoutMs: 2_000 });
    await expect(impatient).rejects.toBeInstanceOf(StatementTimeout);
    expect(sent[0]?.signal?.aborted).toBe(false);
    sent[0]?.answer();
    expect(await patient).toMatchObject({ ten: 20 });
  });

  it("takes up a text again after all its rows were answered", async () => {
    const { sent, readRow } = hand();
    for (let round = 0; round < 3; round++) {
      const answer = readRow("t", { n: round }, options);
      await turn();
      sent[round]?.answer();
      expect(await answer).toMatchObject({ ten: round * 10 });
    }
  });

  describe("with rows that take too long", () => {
    /** A database that never answers a statement with such a row, and all others at once. */
    const stuck = (isSlow: (n: number) => boolean) => {
      let running = 0;
      const seen = { most: 0, sizes: [] as number[] };
      const send: SendRows = async (_text, rows, { runMs, timeoutMs, signal }) => {
        // At the time of its turn, as a statement that had to wait for it.
        await turn(0);
        const limit = Math.min(timeoutMs, runMs());
        seen.sizes.push(rows.length);
        seen.most = Math.max(seen.most, ++running);
        try {
          if (rows.some((row) => isSlow(Number(row["n"]))))
            await new Promise((_, reject) => {
              const timer = setTimeout(() => reject(new StatementTimeout(limit)), limit);
              signal?.addEventListener("abort", () => {
                clearTimeout(timer);
                reject(signal.reason);
              });
            });
          return rows.map((row) => ({ i: row["i"], n: row["n"] }));
        } finally {
          running -= 1;
        }
      };
      return { seen, readRow: coalesce(send) };
    };
    const timed = async <T>(work: Promise<T>): Promise<readonly [T, number]> => {
      const since = performance.now();
      const result = await work;
      return [result, performance.now() - since];
    };

    it("fails them alone, at their callers' own limit, and answers their neighbours", async () => {
      const slow = new Set([7, 200]);
      const { seen, readRow } = stuck((n) => slow.has(n));
      const limits = { timeoutMs: 1_500 };
      const [settled] = await timed(
        Promise.allSettled(Array.from({ length: 256 }, (_, n) => readRow("t", { n }, limits))),
      );
      settled.forEach((each, n) => {
        if (slow.has(n))
          expect(each).toMatchObject({
            status: "rejected",
            reason: { name: "StatementTimeout", timeoutMs: 1_500 },
          });
        else expect(each).toEqual({ status: "fulfilled", value: { i: expect.any(Number), n } });
      });
      // All together, sixteen parts of sixteen, and the rows of the two slow parts by themselves.
      expect(seen.sizes.slice(0, 49)).toEqual([256, ...Array(16).fill(16), ...Array(32).fill(1)]);
      // Each of the two once more, when no other waited for it.
      expect(seen.sizes.length).toBeLessThanOrEqual(51);
    });

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
      const asked = Array.from({ length: 64 }, (_, n) => readRow("t", { n }, { timeoutMs: 4_000 }));
      const settled = await Promise.allSettled(asked);
      const late = settled.flatMap(({ status }, n) => (status === "rejected" ? [n] : []));
      expect(late).toEqual(slow);
    });

    it("asks none again whose caller has left or has no time any more", async () => {
      const { seen, readRow } = stuck(() => true);
      const caller = new AbortController();
      const asked = [1, 2, 3].map((n) =>
        readRow("t", { n }, { timeoutMs: 400, signal: caller.signal }).catch(() => "over"),
      );
      await turn();
      caller.abort(new Error("left"));
      await Promise.all(asked);
      await turn(100);
      expect(seen.sizes).toEqual([3]);
    });
  });
});
