import { expect, it } from "@jest/globals";
import { Estimates } from "./estimates.ts";

it("long texts are remembered up to a sum of their characters, the latest ones", () => {
  const estimates = new Estimates();
  const textOf = (at: number): string => `${at} ${"x".repeat(100_000)}`;
  for (let at = 0; at < 20; at++) estimates.record(textOf(at), 1_000 + at);
  const known = Array.from({ length: 20 }, (_, at) => at).filter(
    (at) => estimates.of(textOf(at), "query").ms === 1_000 + at,
  );
  expect(known).toEqual([16, 17, 18, 19]);
});
