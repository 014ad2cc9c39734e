import { describe, expect, it } from "@jest/globals";
import { comparedText, valueOfText } from "./language-value.ts";

describe("a text of the language in a file", () => {
  it.each([
    ['{ "a": [1, "b c", null],\n "d": {} }', { a: [1, "b c", null], d: {} }],
    ['{"a":"x \\" : y"}', { a: 'x " : y' }],
  ])("%s is the tree that it says", (text, tree) => expect(valueOfText(text)).toEqual(tree));

  it.each([
    '{"a":1.0}',
    '{"a":1e3}',
    '{"a":9007199254740993}',
    '{"a":1,"a":2}',
    '{"a":-0}',
    "no JSON yet",
    "null",
    "7",
    '"7"',
    "[7]",
  ])("%s stays the text, of which a tree would lose something", (text) =>
    expect(valueOfText(text)).toBe(text),
  );

  it("is compared by what it says", () => {
    expect(comparedText('{ "a": 1 }')).toBe(comparedText({ a: 1 }));
    expect(comparedText('{"a":1.0}')).not.toBe(comparedText({ a: 1 }));
  });
});
