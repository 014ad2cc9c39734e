import { describe, expect, it } from "@jest/globals";
import { compareText, orderKey } from "./order.ts";

const samples = [
  "",
  "a",
  "ab",
  "b",
  "\uD7FF",
  "\uE000",
  "\uFFFD",
  "\uFFFE",
  "\uFFFF",
  "\u{10000}",
  "\u{1F600}",
  "\u{10FFFF}",
];
const texts = samples.flatMap((first) => samples.map((second) => first + second));

describe("order of texts", () => {
  it("is by code point, not by UTF-16 unit", () => {
    expect(["b", "\u{1F600}", "\uFFFD", "a", "ab"].toSorted(compareText)).toEqual([
      "a",
      "ab",
      "b",
      "\uFFFD",
      "\u{1F600}",
    ]);
  });

  it("is the order by unit of the keys", () => {
    for (const a of texts) {
      for (const b of texts) {
        const [x, y] = [orderKey(a) ?? a, orderKey(b) ?? b];
        expect(Math.sign(compareText(a, b))).toBe(x < y ? -1 : x > y ? 1 : 0);
      }
    }
  });

  it("needs no key for a text without high characters", () => {
    expect(orderKey("z\uD7FF")).toBeNull();
  });
});
