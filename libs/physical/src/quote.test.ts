import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { quoteName } from "./quote.ts";

/** Reads a quoted name back as the database's lexer does. */
const unquote = (text: string): string | undefined => {
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(text)) return text;
  const inside = /^`((?:[^`]|``)+)`$/.exec(text)?.[1];
  return inside?.replaceAll("``", "`");
};

describe("quoteName", () => {
  it.each([
    ["Car", "Car"],
    ["_p", "_p"],
    ["price.metadata.source", "`price.metadata.source`"],
    ["1st", "`1st`"],
    ["a`b", "`a``b`"],
    ["`]->() DELETE n //", "```]->() DELETE n //`"],
    ["Ä", "`Ä`"],
    ["a b", "`a b`"],
  ])("%s", (name, quoted) => expect(quoteName(name)).toBe(quoted));

  it("reads back as the same name and as one name, whatever it holds", () => {
    const name = fc.string({ minLength: 1 }).filter((text) => !/\\u/i.test(text));
    fc.assert(fc.property(name, (text) => unquote(quoteName(text)) === text));
  });

  it.each(["a\\u0060b", "\\u0060", "\\\\u0060", "\\U00000060"])("refuses the Unicode escape in %s", (name) =>
    expect(() => quoteName(name)).toThrow("a name with a Unicode escape cannot be quoted"),
  );

  it("refuses the empty name", () => expect(() => quoteName("")).toThrow("a name cannot be empty"));
});
