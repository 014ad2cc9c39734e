import { describe, expect, it } from "@jest/globals";
import { testNames } from "./test-titles.ts";

const names = testNames(`
  const describeFolder = () => it("has files", () => undefined);
  describe("books", () => {
    it("are lent", () => undefined);
    it.each([["ann"]])("are read by %s, of $age years", () => undefined);
    describe(\`of \${year}\`, () => it("are old (all?)", () => undefined));
    (isThere ? describe : describe.skip)("of the corpus", describeFolder);
  });
  describeRows([["404: unknown", [["an id", ask], [\`a \${kind} by name\`, ask]]], ["409: taken", cases]]);
`);

describe("the names of the tests of a file", () => {
  it.each([
    "books are lent",
    "books are read by ann, of 7 years",
    "books of 1984 are old (all?)",
    "books of the corpus has files",
    "404: unknown an id",
    "404: unknown a query by name",
    "409: taken twice",
  ])("have one that is made there: %s", (name) => {
    expect(name).toMatch(names);
  });

  it.each([
    "are lent",
    "books are lent out",
    "films are lent",
    "books are read by ann",
    "books are old (all?)",
    "404: unknown two ids",
    "500: unknown an id",
  ])("have none of another group or title: %s", (name) => {
    expect(name).not.toMatch(names);
  });
});
