import { describe, expect, it } from "@jest/globals";
import { openStreamRate } from "./stream-rate.ts";

describe("the rate of a stream", () => {
  const after = (
    pieces: readonly (readonly [ms: number, bytes: number, isBlocked?: boolean])[],
    rate = 100,
  ) => {
    let now = 0;
    const stream = openStreamRate(rate, 1_000, () => now);
    return pieces.map(([ms, bytes, isBlocked = false]) => {
      now = ms;
      return stream.take(bytes, isBlocked);
    });
  };

  it("is checked once a window, by what came in it", () => {
    expect(
      after([
        [0, 1],
        [500, 1],
        [999, 1],
        [1_000, 97],
        [1_500, 50],
        [2_000, 49],
      ]),
    ).toEqual([true, true, true, true, true, false]);
  });

  it("does not count a fast beginning for later", () => {
    expect(
      after([
        [0, 1_000_000],
        [1_000, 1],
        [1_900, 1],
        [2_100, 1],
      ]),
    ).toEqual([true, true, true, false]);
  });

  it("is not checked in a window in which the service took no more", () => {
    expect(
      after([
        [500, 1, true],
        [1_000, 1],
        [2_000, 1],
      ]),
    ).toEqual([true, true, false]);
  });

  it("is not checked at all at 0", () => {
    expect(
      after(
        [
          [1_000, 0],
          [2_000, 0],
        ],
        0,
      ),
    ).toEqual([true, true]);
  });
});
