import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { parse } from "./parser.ts";
import { printTree } from "./printer.ts";
import { query } from "../../test/trees/trees.ts";
import { tooDeep } from "./depth.ts";

const everything = { use: true, call: true };

const aggregatesWithin = /takes no subquery that aggregates/;

/** A tree without its places in the text. */
const bare = (tree: unknown): unknown =>
  JSON.parse(
    JSON.stringify(tree, (key, value: unknown) =>
      key === "at" ? undefined : typeof value === "bigint" ? `${value}n` : value,
    ),
  );

const read = (text: string): unknown => {
  const parsed = parse(text, everything);
  return parsed.ok ? parsed.query : parsed.faults;
};

describe("print and parse", () => {
  it("give back the tree, and the same text again", () => {
    fc.assert(
      fc.property(query, (tree) => {
        fc.pre(tooDeep(tree) === undefined);
        const text = printTree(tree);
        const parsed = parse(text, everything);
        // Drawn now and then, and refused by name: the database takes none.
        fc.pre(parsed.ok || !parsed.faults.some(({ message }) => aggregatesWithin.test(message)));
        expect(bare(parsed.ok ? parsed.query : parsed.faults)).toEqual(bare(tree));
        expect(parsed.ok && printTree(parsed.query)).toBe(text);
      }),
      { numRuns: 300 },
    );
  });

  it("read the same whatever stands between the tokens", () => {
    const texts = [
      "MATCH (a:A|B WHERE a.x=1)MATCH(b)WHERE b.y=2",
      "  match\t(a\n:A|B/* c */WHERE// d\n a . x = 1 ) MATCH ( b ) where b\r\n.y = 2 ",
    ];
    const [first, second] = texts.map((text) => bare(read(text)));
    expect(first).toEqual(second);
  });
});
