import { describe, expect, it } from "@jest/globals";
import { seeded } from "./random.ts";
import { zipf } from "./zipf.ts";

describe("zipf", () => {
  it("draws the first rank twice as often as the second, and every rank", () => {
    const draw = zipf(seeded(3), 10);
    const counts = Array.from({ length: 10 }, () => 0);
    for (let i = 0; i < 20_000; i++) {
      const rank = draw();
      counts[rank] = (counts[rank] ?? 0) + 1;
    }
    expect((counts[0] ?? 0) / (counts[1] ?? 0)).toBeCloseTo(2, 0);
    expect(Math.min(...counts)).toBeGreaterThan(0);
  });
});
