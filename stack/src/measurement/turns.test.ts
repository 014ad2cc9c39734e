import { describe, expect, it } from "@jest/globals";
import { orderOf, takeTurns } from "./turns.ts";

const work = (latency: number, calls: number) => async () => ({
  latencies: new Float64Array(calls).fill(latency),
  elapsed: 1_000,
});

describe("takeTurns", () => {
  it("compares ways within their rounds", async () => {
    const plan = { rounds: 3, roundMs: 1, warmUpMs: 1 };
    const turns = await takeTurns({ bare: work(2, 100), ours: work(3, 250) }, plan);
    expect(turns.summary("ours").throughput).toBe(250);
    expect(turns.ratio("ours", "bare")).toBe(2.5);
    expect(turns.ratio("ours", "bare", "p50")).toBe(1.5);
  });
});

describe("orderOf", () => {
  it("gives each way every place once in as many rounds as there are ways", () => {
    const ways = ["a", "b", "c"];
    for (const place of ways.keys())
      expect(new Set(ways.map((_, round) => orderOf(ways, round)[place])).size).toBe(ways.length);
  });
});
