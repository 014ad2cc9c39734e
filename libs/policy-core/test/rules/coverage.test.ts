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

describe("the rules of the language and of the database", () => {
  it.each([
    ["policies and queries", checkCoverage],
    ["the database", factCoverage],
    ["calls", formCoverage],
  ])("of %s name tests that are there", (_name, coverage) => {
    expect(Object.values(coverage).filter((shown) => shown.length === 0)).toEqual([]);
    expect(missingIn(coverage)).toEqual([]);
  });
});
