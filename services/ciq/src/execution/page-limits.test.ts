import { describe, expect, it } from "@jest/globals";
import { offsetOfPage } from "./page-limits.ts";

describe("the first row of a page that is counted", () => {
  it.each([
    [-1, 100, 0],
    [0, 100, 0],
    [1, 100, 0],
    [2, 100, 100],
    [3, 100, 200],
    [1, 1, 0],
    [2, 1, 1],
    [Number.MAX_SAFE_INTEGER, 1_000, Number.MAX_SAFE_INTEGER],
  ])("page %d of size %d begins at row %d", (page, size, offset) => {
    expect(offsetOfPage(page, size)).toBe(offset);
  });
});
