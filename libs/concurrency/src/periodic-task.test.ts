import { describe, expect, it } from "@jest/globals";
import { setTimeout as wait } from "node:timers/promises";
import { createPeriodicTask } from "./periodic-task.ts";

describe("a periodic task", () => {
  it("starts with start, is repeated, and ends with close", async () => {
    let count = 0;
    const { promise: isRepeated, resolve } = Promise.withResolvers<void>();
    const task = createPeriodicTask({
      run: async () => {
        count += 1;
        if (count === 3) resolve();
      },
      everyMs: 5,
      onFailure: () => undefined,
    });
    await wait(20);
    expect(count).toBe(0);
    task.start();
    task.start();
    expect(count).toBe(1);
    await isRepeated;
    await task.close();
    const ended = count;
    await wait(30);
    expect(count).toBe(ended);
  });

  it("runs again without a pause while there is more work", async () => {
    let count = 0;
    const { promise: isDone, resolve } = Promise.withResolvers<void>();
    const task = createPeriodicTask({
      run: async () => {
        count += 1;
        if (count === 5) resolve();
        return count < 5;
      },
      everyMs: 3_600_000,
      onFailure: () => undefined,
    });
    task.start();
    await isDone;
    await task.close();
    expect(count).toBe(5);
  });

  it("reports whether the previous run failed as well, and no failure after the end", async () => {
    const outcomes = [false, true, true, false, true];
    const reported: boolean[] = [];
    let at = 0;
    const { promise: areAll, resolve } = Promise.withResolvers<void>();
    const task = createPeriodicTask({
      run: async () => {
        const fails = outcomes[at++] === true;
        if (at > outcomes.length) resolve();
        if (fails) throw new Error("failed");
      },
      everyMs: 1,
      onFailure: (_error, isRepeated) => void reported.push(isRepeated),
    });
    task.start();
    await areAll;
    await task.close();
    expect(reported).toEqual([false, true, false]);

    const late = createPeriodicTask({
      run: (signal) =>
        new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("over")))),
      everyMs: 1,
      onFailure: () => void reported.push(true),
    });
    late.start();
    await late.close();
    expect(reported).toHaveLength(3);
  });

  it("is closed when the current run has ended", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const task = createPeriodicTask({ run: () => promise, everyMs: 1, onFailure: () => undefined });
    task.start();
    let isClosed = false;
    const closing = task.close().then(() => (isClosed = true));
    await wait(10);
    expect(isClosed).toBe(false);
    resolve();
    await closing;
  });
});
