import { describe, expect, it } from "@jest/globals";
import { offsetOfPageToken, pageTokenOfOffset } from "./page-token.ts";

describe("the first row of a page", () => {
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
    expect(offsetOfPageToken(token, size)).toBe(offset);
  });

  it("has a token, whichever row it is", () => {
    for (const size of [1, 2, 100, 1_000])
      for (const offset of [0, 1, 2, 3, 99, 100, 101])
        expect(offsetOfPageToken(pageTokenOfOffset(offset, size), size)).toBe(offset);
  });
});
