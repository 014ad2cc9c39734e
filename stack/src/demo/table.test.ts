import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { table, wrap } from "./table.ts";

describe("wrap", () => {
  it("breaks between words", () => {
    expect(wrap("one two three", 7)).toEqual(["one two", "three"]);
  });

  it("cuts a word that is longer than a line", () => {
    expect(wrap("an abcdefgh z", 5)).toEqual(["an", "abcde", "fgh z"]);
  });

  it("keeps an empty text as one empty line", () => {
    expect(wrap("", 5)).toEqual([""]);
  });

  it("never exceeds the width and loses no letter", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z ]*$/), fc.integer({ min: 1, max: 20 }), (text, width) => {
        const lines = wrap(text, width);
        expect(lines.every((line) => line.length <= width)).toBe(true);
        expect(lines.join("").replaceAll(" ", "")).toBe(text.replaceAll(" ", ""));
      }),
    );
  });
});

describe("table", () => {
  it("takes the width of its longest cell", () => {
    expect(
      table(
        [{ title: "Reel" }, { title: "Metres", align: "right" }],
        [
          ["herring-1", "301"],
          ["fox", "9"],
        ],
      ),
    ).toEqual(["Reel       Metres", "---------  ------", "herring-1     301", "fox             9"]);
  });

  it("wraps a cell of a column with a width, and leaves the others of that row alone", () => {
    expect(table([{ title: "#" }, { title: "Why", width: 8 }], [["1", "three hops lead there"]])).toEqual([
      "#  Why",
      "-  --------",
      "1  three",
      "   hops",
      "   lead",
      "   there",
    ]);
  });

  it("has titles and a rule without any row", () => {
    expect(table([{ title: "Film" }], [])).toEqual(["Film", "----"]);
  });
});
