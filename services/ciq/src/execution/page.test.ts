import { describe, expect, it } from "@jest/globals";
import { offsetOf } from "./page.ts";

describe("the first row of a page (README decision 25)", () => {
  it.each([
    [-1, 100, 0],
    [0, 100, 0],
    [1, 100, 0],
    [2, 100, 2],
    [100, 100, 100],
    [0, 1, 0],
    [1, 1, 1],
    [2, 1, 2],
  ])("token %d with size %d is offset %d", (token, size, offset) => {
    expect(offsetOf(token, size)).toBe(offset);
  });
});
