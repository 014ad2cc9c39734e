import { describe, expect, it } from "@jest/globals";
import { RefreshAhead } from "./refresh-ahead.ts";

/** Counts the reads that are started at these ages of a value, whose lifetime is 30 s. */
const readsAt = (ages: readonly number[], read: () => Promise<unknown> = () => Promise.resolve()): number => {
  let now = 0;
  let reads = 0;
  const ahead = new RefreshAhead<object>(() => now, 2);
  const holder = {};
  for (now of ages)
    ahead.start(holder, 0, 30_000, () => {
      reads++;
      return read();
    });
  return reads;
};

describe("RefreshAhead", () => {
  it("reads nothing before two thirds of the lifetime, and then once", () => {
    expect(readsAt([0, 19_999])).toBe(0);
    expect(readsAt([20_000, 20_001, 24_999])).toBe(1);
  });

  it("reads again after a sixth of the lifetime, and ignores a failure", async () => {
    expect(readsAt([20_000, 20_001, 25_000, 25_001], () => Promise.reject(new Error("unavailable")))).toBe(2);
    // A rejection that is not handled would end the process by now.
    await new Promise(setImmediate);
  });

  it("begins none above the bound, and one of them when another has ended", async () => {
    const ahead = new RefreshAhead<object>(() => 25_000, 1);
    const [first, second] = [{}, {}];
    let end = (): void => undefined;
    let reads = 0;
    const start = (holder: object): void =>
      ahead.start(holder, 0, 30_000, () => {
        reads++;
        return new Promise<void>((resolve) => (end = resolve));
      });
    start(first);
    start(second);
    expect(reads).toBe(1);
    end();
    await new Promise(setImmediate);
    start(second);
    expect(reads).toBe(2);
  });

  it("knows each holder by itself", () => {
    const ahead = new RefreshAhead<object>(() => 25_000, 2);
    let reads = 0;
    for (const holder of [{}, {}])
      ahead.start(holder, 0, 30_000, () => {
        reads++;
        return Promise.resolve();
      });
    expect(reads).toBe(2);
  });
});
