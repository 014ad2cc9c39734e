import { setTimeout as delay } from "node:timers/promises";
import { expect, it } from "@jest/globals";
import { addOutcomes, noOutcomes, runOpenLoop } from "./open-loop.ts";

it("times count from the moment at which a request was due", async () => {
  // Answered one after the other, each in 50 ms, ten times as slowly as they are asked.
  let last: Promise<unknown> = Promise.resolve();
  const oneByOne = (): Promise<boolean> => {
    const answer = last.then(() => delay(50)).then(() => true);
    last = answer;
    return answer;
  };
  const { latencies } = await runOpenLoop(oneByOne, 200, 100);
  expect(latencies).toHaveLength(20);
  expect(Math.max(...latencies)).toBeGreaterThan(800);
});

it("counts wrong and missing answers apart, and no time for them", async () => {
  const answers = [true, false, "503", "503"] as const;
  const outcomes = await runOpenLoop(
    (number) =>
      number === 4 ? Promise.reject(new Error("reset")) : Promise.resolve(answers[number] ?? true),
    500,
    10,
  );
  expect(outcomes).toMatchObject({ latencies: [expect.any(Number)], wrong: 1 });
  expect([...outcomes.missing]).toEqual([
    ["503", 2],
    ["none", 1],
  ]);
  const sum = noOutcomes();
  addOutcomes(sum, outcomes);
  addOutcomes(sum, outcomes);
  expect(sum.latencies).toHaveLength(2);
  expect([sum.wrong, sum.missing.get("503")]).toEqual([2, 4]);
});
