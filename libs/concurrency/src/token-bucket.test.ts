import { describe, expect, it } from "@jest/globals";
import { TokenBucket } from "./token-bucket.ts";

describe("TokenBucket", () => {
  it("gives a second's worth at once, and then at the refill rate", () => {
    const bucket = new TokenBucket(10, 0);
    for (let taken = 0; taken < 10; taken++) {
      expect(bucket.waitMs(0)).toBe(0);
      bucket.take(1, 0);
    }
    expect(bucket.waitMs(0)).toBeGreaterThan(0);
    expect(bucket.waitMs(50)).toBe(0);
    bucket.take(1, 100);
    expect(bucket.waitMs(100)).toBeGreaterThan(0);
    // It holds at most one second's worth.
    bucket.take(10, 100_000);
    expect(bucket.waitMs(100_000)).toBeGreaterThan(0);
  });

  it("refills a debt first, and says how long that takes", () => {
    const bucket = new TokenBucket(100, 0);
    bucket.take(350, 0);
    expect(bucket.waitMs(0)).toBe(2_501);
    expect(bucket.waitMs(2_400)).toBe(101);
    expect(bucket.waitMs(2_501)).toBe(0);
    bucket.take(-1_000, 2_501);
    bucket.take(100, 2_501);
    expect(bucket.waitMs(2_501)).toBe(1);
  });

  it("bounds a debt", () => {
    const bucket = new TokenBucket(1, 0);
    bucket.take(1e9, 0);
    expect(bucket.waitMs(0)).toBe(30_001);
  });

  it("follows a bucket elsewhere by the time until that one is full", () => {
    const bucket = new TokenBucket(10, 0);
    expect(bucket.refillMs(5)).toBe(500);
    bucket.setFullIn(750, 0);
    bucket.take(2, 0);
    expect(bucket.waitMs(0)).toBe(0);
    bucket.take(1, 0);
    expect(bucket.waitMs(0)).toBe(51);
    bucket.setFullIn(2_500, 0);
    expect(bucket.waitMs(0)).toBe(1_501);
    expect([bucket.fullInMs(0), bucket.fullInMs(2_400), bucket.fullInMs(3_000)]).toEqual([2_500, 100, 0]);
    bucket.setFullIn(0, 0);
    expect(bucket.waitMs(0)).toBe(0);
    expect(new TokenBucket(Infinity, 0).fullInMs(0)).toBe(0);
  });

  it("bounds a debt at a lower rate as well", () => {
    const bucket = new TokenBucket(100, 0);
    bucket.take(3_000, 0);
    bucket.setRate(1, 0);
    expect(bucket.waitMs(0)).toBe(30_001);
  });

  it("changes its rate", () => {
    const bucket = new TokenBucket(Infinity, 0);
    bucket.take(1e9, 0);
    expect(bucket.waitMs(0)).toBe(0);
    bucket.setRate(10, 0);
    expect(bucket.waitMs(0)).toBe(0);
    bucket.take(30, 0);
    expect(bucket.waitMs(0)).toBe(2_001);
    bucket.setRate(100, 0);
    expect(bucket.waitMs(0)).toBe(201);
    bucket.setRate(Infinity, 0);
    expect(bucket.waitMs(0)).toBe(0);
  });
});
