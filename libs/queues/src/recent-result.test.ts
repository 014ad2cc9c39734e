import { beforeEach, expect, it } from "@jest/globals";
import { openRecentResult, type RecentResult } from "./recent-result.ts";

const maxAgeMs = 50;

let clock: number;
let reads: PromiseWithResolvers<number>[];
let recent: RecentResult<number>;

beforeEach(() => {
  clock = 1;
  reads = [];
  recent = openRecentResult(
    () => {
      const read = Promise.withResolvers<number>();
      reads.push(read);
      return read.promise;
    },
    maxAgeMs,
    () => clock,
  );
});

it("callers share a read under way, however long it takes", async () => {
  const first = recent.get();
  clock += maxAgeMs + 1;
  const second = recent.get();
  reads[0]?.resolve(1);
  expect(await Promise.all([first, second])).toEqual([1, 1]);
  expect(reads).toHaveLength(1);
});

it("a result serves until it is too old, counted from the begin of its read", async () => {
  const first = recent.get();
  clock += maxAgeMs;
  reads[0]?.resolve(1);
  await first;
  expect(await recent.get()).toBe(1);
  clock += 1;
  const second = recent.get();
  reads[1]?.resolve(2);
  expect(await second).toBe(2);
});

it("a failure is for those alone who wait for it", async () => {
  const calls = [recent.get(), recent.get()];
  reads[0]?.reject(new Error("Redis is away"));
  for (const call of calls) await expect(call).rejects.toThrow("Redis is away");
  const next = recent.get();
  reads[1]?.resolve(2);
  expect(await next).toBe(2);
});

it("what was forgotten is read anew, also while its read is under way", async () => {
  const first = recent.get();
  recent.forget();
  const second = recent.get();
  reads[1]?.resolve(2);
  reads[0]?.resolve(1);
  expect(await Promise.all([first, second])).toEqual([1, 2]);
  expect(await recent.get()).toBe(2);
  expect(reads).toHaveLength(2);
});
