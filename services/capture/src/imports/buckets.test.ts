import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import { nodeBuckets, partitionOf, partitions, relationshipBucket, relationshipBuckets } from "./buckets.ts";
import { inDisjointOrder } from "./in-disjoint-order.ts";

describe("buckets", () => {
  it("hold every pair of partitions once, in whichever direction, and every number once", () => {
    const pairs = relationshipBuckets.map(({ partitions: [a = -1, b = a] }) => relationshipBucket(b, a));
    expect(pairs).toEqual(relationshipBuckets.map(({ number }) => number));
    const numbers = [...nodeBuckets, ...relationshipBuckets].map(({ number }) => number);
    expect(new Set(numbers).size).toBe(partitions + (partitions * (partitions + 1)) / 2);
  });

  it("come in rounds in which no node is in two at once", () => {
    for (let round = 0; round < partitions - 1; round++) {
      const four = relationshipBuckets.slice(round * 4, round * 4 + 4).flatMap((bucket) => bucket.partitions);
      expect(new Set(four).size).toBe(partitions);
    }
  });

  it("are filled evenly", () => {
    const keys = Array.from({ length: 8_000 }, (_, i) => `abcdefgh/Person/${i}`);
    const filled = [...Map.groupBy(keys, partitionOf).values()].map(({ length }) => length);
    expect(filled).toHaveLength(partitions);
    for (const count of filled) expect(Math.abs(count - 1_000)).toBeLessThan(150);
  });
});

describe("work in disjoint order", () => {
  it("is all done, as much at once as allowed, and never twice on one partition", async () => {
    const busy = new Set<number>();
    const done: number[] = [];
    let most = 0;
    let running = 0;
    await inDisjointOrder(relationshipBuckets, 4, async (bucket) => {
      for (const partition of bucket.partitions) {
        expect(busy.has(partition)).toBe(false);
        busy.add(partition);
      }
      most = Math.max(most, ++running);
      for (let i = bucket.number % 5; i >= 0; i--) await turn();
      running -= 1;
      for (const partition of bucket.partitions) busy.delete(partition);
      done.push(bucket.number);
    });
    expect(done.toSorted((a, b) => a - b)).toEqual(
      relationshipBuckets.map(({ number }) => number).toSorted((a, b) => a - b),
    );
    expect(most).toBe(4);
  });

  it("begins nothing after a failure, and ends when nothing runs", async () => {
    let running = 0;
    let begun = 0;
    const work = inDisjointOrder(nodeBuckets, 4, async ({ number }) => {
      begun += 1;
      running += 1;
      await turn();
      if (number === 1) {
        running -= 1;
        throw new Error("failed");
      }
      await turn();
      running -= 1;
    });
    await expect(work).rejects.toThrow("failed");
    expect([running, begun]).toEqual([0, 4]);
  });
});
