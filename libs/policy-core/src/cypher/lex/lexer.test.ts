import { describe, expect, it } from "@jest/globals";
import { LexicalFault } from "./literals.ts";
import { lex } from "./lexer.ts";

/** What the tokens hold, the end left out. */
const values = (text: string): readonly unknown[] =>
  lex(text)
    .slice(0, -1)
    .map((token) => {
      if (token.kind === "name") return token.word === "" ? `\`${token.name}\`` : token.name;
      if (token.kind === "mark") return token.mark;
      return token.kind === "end" ? "end" : token.value;
    });

const faultOf = (text: string): string => {
  try {
    lex(text);
    return "accepted";
  } catch (error) {
    if (error instanceof LexicalFault) return `${error.at}: ${error.message}`;
    throw error;
  }
};

describe("tokens", () => {
  const rows: readonly (readonly [string, readonly unknown[]])[] = [
    ["MATCH(a)", ["MATCH", "(", "a", ")"]],
    ["a.x<=1", ["a", ".", "x", "<=", 1n]],
    ["a<>b =~ c || d", ["a", "<>", "b", "=~", "c", "||", "d"]],
    ["<-[r]->", ["<", "-", "[", "r", "]", "-", ">"]],
    ["*1..3", ["*", 1n, "..", 3n]],
    ["*..3", ["*", "..", 3n]],
    [".5 0.5 1e5 1.5E-3 1e+2", [0.5, 0.5, 100_000, 0.0015, 100]],
    ["0 12 1_000 0x1F 0o17", [0n, 12n, 1000n, 31n, 15n]],
    ["9223372036854775807", [9_223_372_036_854_775_807n]],
    ["1.x", [1n, ".", "x"]],
    ["`a b` `a``b` ````", ["`a b`", "`a`b`", "```"]],
    ['\'it\\\'s\' "say \\"hi\\""', ["it's", 'say "hi"']],
    ["'\\\\\\n\\r\\t\\b\\f'", ["\\\n\r\t\b\f"]],
    ["'\\U0001F600'", ["😀"]],
    ["'ü „\u2014“'", ["ü „\u2014“"]],
    ["a // b\nc /* d\ne */ f", ["a", "c", "f"]],
    ["$0 $name", ["$", 0n, "$", "name"]],
    ["'a''b'", ["a", "b"]],
    ["s'{x}'", ["s", "{x}"]],
    ["a\u000Bb\fc", ["a", "b", "c"]],
  ];
  it.each(rows)("of %j", (text, expected) => {
    expect(values(text)).toEqual(expected);
  });

  it("know their places and brackets their partners", () => {
    const tokens = lex("(a [b])");
    expect(tokens.map((token) => [token.at, token.end])).toEqual([
      [0, 1],
      [1, 2],
      [3, 4],
      [4, 5],
      [5, 6],
      [6, 7],
      [7, 7],
    ]);
    expect(tokens.map((token) => (token.kind === "mark" ? token.partner : undefined))).toEqual([
      ...[5, undefined, 4, undefined, 2, 0, undefined],
    ]);
  });
});

describe("what is no token", () => {
  const rows: readonly (readonly [string, string])[] = [
    ["a '\\u0041'", '3: escape "\\u" is not allowed'],
    ["a // \\u000a", '5: escape "\\u" is not allowed'],
    ["`\\u0061`", '1: escape "\\u" is not allowed'],
    ["a `\\U00000060`", '2: escape "\\U" is not allowed in a name'],
    ["'\\\\u0041'", '2: escape "\\u" is not allowed'],
    ["'\\U0000005Cu0041'", '0: escape "\\u" is not allowed'],
    ["'\\q'", '1: unknown escape "\\q" in a string'],
    ["'\\U0001F6'", '1: escape "\\U" needs eight hexadecimal digits'],
    ["'\\U00110000'", '1: escape "\\U00110000" is not a character'],
    ["'\\U0000D800'", '1: escape "\\U0000D800" is not a character'],
    ["a 'b", "2: string is not closed"],
    ["a 'b\\", '4: unknown escape "\\" in a string'],
    ["a `b", "2: name in back-quotes is not closed"],
    ["``", "0: name in back-quotes is empty"],
    ["a /* b", "2: comment is not closed"],
    ["007", "0: a number has no leading zeros"],
    ["00.5", "0: a number has no leading zeros"],
    ["1a", '0: unexpected "1a"'],
    ["1__0", '0: unexpected "1__0"'],
    ["1_", '0: unexpected "1_"'],
    ["0x", '0: unexpected "0x"'],
    ["0xZ", '0: unexpected "0xZ"'],
    ["0o8", '0: unexpected "0o8"'],
    ["0X1F", '0: unexpected "0X1F"'],
    ["1.5e", '0: unexpected "1.5e"'],
    ["1e5x", '0: unexpected "1e5x"'],
    ["9223372036854775808", "0: integer is too large"],
    ["1e999", "0: number is too large"],
    ["(a]", '2: unexpected "]"'],
    ["a)", '1: unexpected ")"'],
    ["([a]", '0: "(" is not closed'],
    ["a\u00A0b", '1: unexpected "\u00A0": only ASCII outside strings and back-quotes'],
    ["(a)\u2014(b)", '3: unexpected "\u2014": only ASCII outside strings and back-quotes'],
    ["(a)\u27E8-(b)", '3: unexpected "\u27E8": only ASCII outside strings and back-quotes'],
    ["a // ü", '5: unexpected "ü": only ASCII outside strings and back-quotes'],
    ["a /* ü */", '5: unexpected "ü": only ASCII outside strings and back-quotes'],
    ["a # b", '2: unexpected "#"'],
    ["a \u0000", '2: unexpected "\\u0000"'],
    ["'\uD800'", "0: text is not well-formed Unicode"],
    ["(".repeat(65), "64: nesting deeper than 64 levels is not allowed"],
  ];
  it.each(rows)("%j", (text, expected) => {
    expect(faultOf(text)).toBe(expected);
  });
});
