import { describe, expect, it } from "@jest/globals";
import { Problem } from "@ikg/contracts";
import { Neo4jError } from "neo4j-driver";
import { stuck, turn } from "../../test/stuck-database.ts";
import { coalesce } from "./coalesce.ts";
import type { SendRows } from "./coalesce-lane.ts";
import { problemOf, StatementTimeout } from "../errors.ts";
import type { Params, Row } from "../types.ts";

const options = { timeoutMs: 1_000 };

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
    const reads = Array.from({ length: 600 }, (_, n) => readRow(n === 599 ? "other" : "t", { n }, options));
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
    const answers = await Promise.all(reads);
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
    const reads = callers.map(({ signal }, n) => readRow("t", { n }, { ...options, signal }));
    await turn();
    callers[0]?.abort(new Error("left"));
    expect(sent[0]?.signal?.aborted).toBe(false);
    callers[1]?.abort(new Error("left"));
    expect(sent[0]?.signal?.aborted).toBe(true);
    expect((await Promise.allSettled(reads)).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
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
    it("fails them alone, at their callers' own limit, and answers their neighbours", async () => {
      const slow = new Set([7, 200]);
      const { seen, readRow } = stuck((n) => slow.has(n));
      const limits = { timeoutMs: 1_500 };
      const settled = await Promise.allSettled(
        Array.from({ length: 256 }, (_, n) => readRow("t", { n }, limits)),
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

    it("asks none again whose caller has left or has no time any more", async () => {
      const { seen, readRow } = stuck(() => true);
      const caller = new AbortController();
      const reads = [1, 2, 3].map((n) =>
        readRow("t", { n }, { timeoutMs: 400, signal: caller.signal }).catch(() => "over"),
      );
      await turn();
      caller.abort(new Error("left"));
      await Promise.all(reads);
      await turn(100);
      expect(seen.sizes).toEqual([3]);
    });
  });
});
