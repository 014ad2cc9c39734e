import { expect, it } from "@jest/globals";
import { setTimeout as wait } from "node:timers/promises";
import { StatementTimeout } from "../errors.ts";
import { limitRun } from "./limit-run.ts";
import type { SentOptions } from "./read.ts";

/** A statement that is planned and ends when the test says so, or when it is aborted. */
const statement = () => {
  const answer = Promise.withResolvers<string>();
  let sent: SentOptions | undefined;
  const run = (options: SentOptions): Promise<string> => {
    sent = options;
    options.signal?.addEventListener("abort", () => answer.reject(options.signal?.reason));
    return answer.promise;
  };
  return { run, answer: answer.resolve, sent: () => sent };
};

it("the limit begins when the statement is planned", async () => {
  const { run, sent } = statement();
  const planned: string[] = [];
  const running = limitRun(
    { timeoutMs: 10_000, onPlanned: () => void planned.push("planned") },
    () => 20,
    run,
  );
  await wait(60);
  expect(sent()?.signal?.aborted).toBe(false);
  sent()?.onPlanned?.();
  await expect(running).rejects.toBeInstanceOf(StatementTimeout);
  expect(planned).toEqual(["planned"]);
});

it("a statement that ends before it has its answer", async () => {
  const { run, answer, sent } = statement();
  const running = limitRun({ timeoutMs: 10_000 }, () => 1_000, run);
  sent()?.onPlanned?.();
  // Planned again, after the server had no memory for it.
  sent()?.onPlanned?.();
  answer("answer");
  await expect(running).resolves.toBe("answer");
});

it("the signal of the caller ends it at any time", async () => {
  const { run } = statement();
  const stop = new AbortController();
  const running = limitRun({ timeoutMs: 10_000, signal: stop.signal }, () => 1_000, run);
  stop.abort(new Error("gone"));
  await expect(running).rejects.toThrow("gone");
});
