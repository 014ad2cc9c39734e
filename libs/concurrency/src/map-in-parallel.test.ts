import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import { mapInParallel } from "./map-in-parallel.ts";

describe("mapInParallel", () => {
  it("returns results in the order of the items, whichever is done first", async () => {
    const work = async (ms: number): Promise<string> => {
      await wait(ms);
      return `${ms} ms`;
    };
    expect(await mapInParallel([20, 1, 10], 3, work)).toEqual(["20 ms", "1 ms", "10 ms"]);
    expect(await mapInParallel([], 3, work)).toEqual([]);
  });

  it("begins the next item when one is done, and never more than the limit", async () => {
    const begun: number[] = [];
    const waiting = [0, 1, 2, 3].map(() => Promise.withResolvers<void>());
    const all = mapInParallel([0, 1, 2, 3], 2, async (item) => {
      begun.push(item);
      await waiting[item]?.promise;
    });
    expect(begun).toEqual([0, 1]);
    waiting[1]?.resolve();
    await new Promise(setImmediate);
    expect(begun).toEqual([0, 1, 2]);
    for (const { resolve } of waiting) resolve();
    await all;
    expect(begun).toEqual([0, 1, 2, 3]);
  });

  it("rejects with the first failure, and still runs the other items", async () => {
    const begun: number[] = [];
    const work = async (item: number): Promise<void> => {
      begun.push(item);
      await Promise.resolve();
      if (item === 0) throw new Error("the first");
    };
    await expect(mapInParallel([0, 1, 2, 3], 2, work)).rejects.toThrow("the first");
    await new Promise(setImmediate);
    expect(begun).toEqual([0, 1, 2, 3]);
  });
});
