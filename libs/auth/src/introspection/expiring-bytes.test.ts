import { expect, it } from "@jest/globals";
import fc from "fast-check";
import { ExpiringBytes } from "./expiring-bytes.ts";

const minute = 60_000;

it("each owner has a bound, and all have one together, until what they stored has expired", () => {
  const bytes = new ExpiringBytes({ each: 100, all: 150 });
  expect(bytes.add("a", 60, 2 * minute, 0)).toBe(true);
  expect(bytes.add("a", 60, 2 * minute, 0)).toBe(false);
  expect(bytes.add("b", 90, minute, 0)).toBe(true);
  expect(bytes.add("c", 1, minute, 0)).toBe(false);
  expect(bytes.add("c", 90, 3 * minute, minute)).toBe(true);
  expect(bytes.add("a", 40, 3 * minute, minute)).toBe(false);
  expect(bytes.add("a", 60, 3 * minute, 2 * minute)).toBe(true);
});

it("what is stored never exceeds a bound, in any order", () => {
  const each = fc.record({
    owner: fc.constantFrom("a", "b", "c"),
    bytes: fc.integer({ min: 1, max: 60 }),
    forMs: fc.integer({ min: 1, max: 10 * minute }),
    afterMs: fc.nat(minute),
  });
  fc.assert(
    fc.property(fc.array(each, { maxLength: 60 }), (added) => {
      const counted = new ExpiringBytes({ each: 100, all: 200 });
      const stored: { owner: string; bytes: number; until: number }[] = [];
      let now = 0;
      for (const { owner, bytes, forMs, afterMs } of added) {
        now += afterMs;
        const until = now + forMs;
        if (counted.add(owner, bytes, until, now)) stored.push({ owner, bytes, until });
        const left = stored.filter((one) => one.until > now);
        const sumOf = (list: typeof left): number => list.reduce((sum, one) => sum + one.bytes, 0);
        expect(sumOf(left)).toBeLessThanOrEqual(200);
        expect(sumOf(left.filter((one) => one.owner === owner))).toBeLessThanOrEqual(100);
      }
    }),
  );
});
