import { readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { checkCoverage, factCoverage, formCoverage, type Coverage } from "./coverage.ts";

const top = new URL("../../../../", import.meta.url);

/** Names of the tests and groups of a file, as they stand in its text. */
const namesIn = (file: string): readonly string[] =>
  [...readFileSync(new URL(file, top), "utf8").matchAll(/"((?:[^"\\]|\\.)*)"|`([^`]*)`/g)].map(
    ([, quoted, template]) => quoted ?? template ?? "",
  );

const missingIn = (coverage: Coverage): readonly string[] =>
  Object.values(coverage)
    .flat()
    .flatMap(([file, test]) =>
      namesIn(file).some((name) => name.includes(test)) ? [] : [`${file}: ${test}`],
    );

const numbers = (most: number): readonly string[] =>
  Array.from({ length: most }, (_, index) => String(index + 1));

describe("the tests that show the numbered checks", () => {
  it("are named for each of the 18 checks of policies and queries, and are there", () => {
    expect(Object.keys(checkCoverage)).toEqual(numbers(18));
    expect(missingIn(checkCoverage)).toEqual([]);
  });

  it("are named for each of the 7 tests of the database, and are there", () => {
    expect(Object.keys(factCoverage)).toEqual(numbers(7));
    expect(missingIn(factCoverage)).toEqual([]);
  });

  it("are there for what stands before the table of checks and is no policy", () => {
    expect(missingIn(formCoverage)).toEqual([]);
  });
});
