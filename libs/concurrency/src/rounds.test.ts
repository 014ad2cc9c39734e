import { describe, expect, it } from "@jest/globals";
import { setTimeout as wait } from "node:timers/promises";
import { openRounds } from "./rounds.ts";

describe("rounds", () => {
  it("begin with resume, are repeated, and end with close", async () => {
    let count = 0;
    const { promise: isRepeated, resolve } = Promise.withResolvers<void>();
    const rounds = openRounds({
      round: async () => {
        count += 1;
        if (count === 3) resolve();
      },
      everyMs: 5,
      onFailure: () => undefined,
    });
    await wait(20);
    expect(count).toBe(0);
    rounds.resume();
    rounds.resume();
    expect(count).toBe(1);
    await isRepeated;
    await rounds.close();
    const ended = count;
    await wait(30);
    expect(count).toBe(ended);
  });

  it("follow at once while there is more", async () => {
    let count = 0;
    const { promise: isDone, resolve } = Promise.withResolvers<void>();
    const rounds = openRounds({
      round: async () => {
        count += 1;
        if (count === 5) resolve();
        return count < 5;
      },
      everyMs: 3_600_000,
      onFailure: () => undefined,
    });
    rounds.resume();
    await isDone;
    await rounds.close();
    expect(count).toBe(5);
  });

  it("tell of each failure whether the round before failed as well, and of none after the end", async () => {
    const outcomes = [false, true, true, false, true];
    const told: boolean[] = [];
    let at = 0;
    const { promise: areAll, resolve } = Promise.withResolvers<void>();
    const rounds = openRounds({
      round: async () => {
        const fails = outcomes[at++] === true;
        if (at > outcomes.length) resolve();
        if (fails) throw new Error("failed");
      },
      everyMs: 1,
      onFailure: (_error, isRepeated) => void told.push(isRepeated),
    });
    rounds.resume();
    await areAll;
    await rounds.close();
    expect(told).toEqual([false, true, false]);

    const late = openRounds({
      round: (signal) =>
        new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("over")))),
      everyMs: 1,
      onFailure: () => void told.push(true),
    });
    late.resume();
    await late.close();
    expect(told).toHaveLength(3);
  });

  it("are over when the round under way is", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const rounds = openRounds({ round: () => promise, everyMs: 1, onFailure: () => undefined });
    rounds.resume();
    let isClosed = false;
    const closing = rounds.close().then(() => (isClosed = true));
    await wait(10);
    expect(isClosed).toBe(false);
    resolve();
    await closing;
  });
});
