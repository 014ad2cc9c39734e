import { expect, it } from "@jest/globals";
import { setTimeout as wait } from "node:timers/promises";
import { StatementTimeout } from "../errors.ts";
import { planToEnd } from "./plan-to-end.ts";
import type { SentOptions } from "./read.ts";
import type { Row } from "../types.ts";

/** A statement that is planned and ends when the test says so, or when it is aborted. */
const statement = () => {
  const answer = Promise.withResolvers<Row[]>();
  let sent: SentOptions | undefined;
  const run = (options: SentOptions): Promise<Row[]> => {
    sent = options;
    options.signal?.addEventListener("abort", () => answer.reject(options.signal?.reason));
    return answer.promise;
  };
  return { run, answer: answer.resolve, fail: answer.reject, sent: () => sent };
};

it("a read whose caller stays is a read as any other", async () => {
  const { run, answer, sent } = statement();
  const planned: string[] = [];
  const read = planToEnd({ timeoutMs: 1_000, onPlanned: () => planned.push("planned") }, run);
  sent()?.onPlanned?.();
  answer([{ n: 1 }]);
  await expect(read).resolves.toEqual([{ n: 1 }]);
  expect(planned).toEqual(["planned"]);
  expect(sent()?.signal?.aborted).toBe(false);
});

it("a read whose caller leaves before it is planned is planned to the end, and ended then", async () => {
  const { run, sent } = statement();
  const closings: Promise<unknown>[] = [];
  const read = planToEnd({ timeoutMs: 20, onClosing: (closing) => void closings.push(closing) }, run);
  await expect(read).rejects.toBeInstanceOf(StatementTimeout);
  expect(sent()?.signal?.aborted).toBe(false);
  expect(sent()?.timeoutMs).toBeGreaterThan(20);
  expect(closings).toHaveLength(1);
  const before = await Promise.race([closings[0]?.then(() => "closed"), wait(20, "open")]);
  expect(before).toBe("open");
  sent()?.onPlanned?.();
  expect(sent()?.signal?.aborted).toBe(true);
  await closings[0];
});

it("the signal of the caller ends its wait, and the read itself once it is planned", async () => {
  const { run, sent } = statement();
  const stop = new AbortController();
  const gone = new Error("gone");
  const read = planToEnd({ timeoutMs: 10_000, signal: stop.signal }, run);
  sent()?.onPlanned?.();
  stop.abort(gone);
  await expect(read).rejects.toBe(gone);
  expect(sent()?.signal?.aborted).toBe(true);
});

it("the limit of a run counts from its plan", async () => {
  const { run, sent } = statement();
  const read = planToEnd({ timeoutMs: 10_000 }, run, () => 20);
  await wait(60);
  expect(sent()?.signal?.aborted).toBe(false);
  sent()?.onPlanned?.();
  await expect(read).rejects.toBeInstanceOf(StatementTimeout);
  expect(sent()?.signal?.aborted).toBe(true);
});

it("a read that fails has failed, and is not closing", async () => {
  const { run, fail } = statement();
  const closings: unknown[] = [];
  const read = planToEnd({ timeoutMs: 10_000, onClosing: (closing) => void closings.push(closing) }, run);
  fail(new Error("refused"));
  await expect(read).rejects.toThrow("refused");
  expect(closings).toEqual([]);
});
