import { describe, expect, it } from "@jest/globals";
import { matches } from "./if-match.ts";

describe("If-Match", () => {
  it.each(['"e1"', "e1", "*", " * ", '"a", "e1"', '"a","e1","b"', "a, e1", '"a,b", e1', ' "e1" '])(
    "%s names e1",
    (header) => expect(matches(header, "e1")).toBe(true),
  );
  it.each(['"e2"', "", '""', 'W/"e1"', '"e1', "e1x", '"a,e1"', '"*"', "E1", '"e 1"'])(
    "%s does not",
    (header) => expect(matches(header, "e1")).toBe(false),
  );
});
