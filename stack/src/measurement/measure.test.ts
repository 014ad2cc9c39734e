import { describe, expect, it } from "@jest/globals";
import { inTurn, run } from "./measure.ts";

const questions = [
  { id: 1, expected: true },
  { id: 2, expected: false },
];

describe("run", () => {
  it("keeps as many calls under way as there are callers, and counts each", async () => {
    let underWay = 0;
    let most = 0;
    let calls = 0;
    const round = await run(
      async ({ expected }) => {
        calls += 1;
        most = Math.max(most, ++underWay);
        await new Promise((resolve) => setTimeout(resolve, 2));
        underWay -= 1;
        return expected;
      },
      inTurn(questions),
      4,
      40,
    );
    expect(most).toBe(4);
    expect(round.latencies).toHaveLength(calls);
    expect(round.elapsed).toBeGreaterThanOrEqual(40);
  });

  it("fails on a wrong answer", async () => {
    await expect(run(async () => true, inTurn(questions), 1, 1000)).rejects.toThrow('"id":2');
  });
});

describe("inTurn", () => {
  it("begins again after the last one", () => {
    const list = inTurn(["a", "b"]);
    expect([list.next(), list.next(), list.next()]).toEqual(["a", "b", "a"]);
  });
});
