import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import { inParallel } from "./in-parallel.ts";

describe("inParallel", () => {
  it("works on so many items at once, and returns the results in order", async () => {
    let running = 0;
    let most = 0;
    const work = async (turns: number): Promise<number> => {
      running += 1;
      most = Math.max(most, running);
      for (let turn = 0; turn < turns; turn++) await nextTurn();
      running -= 1;
      return turns;
    };
    expect(await inParallel([5, 1, 3, 2], work, 2)).toEqual([5, 1, 3, 2]);
    expect(most).toBe(2);
  });

  it("rejects with the first failure", async () => {
    const work = (item: number): Promise<number> =>
      item === 2 ? Promise.reject(new Error("2 failed")) : Promise.resolve(item);
    await expect(inParallel([1, 2, 3], work)).rejects.toThrow("2 failed");
  });
});
