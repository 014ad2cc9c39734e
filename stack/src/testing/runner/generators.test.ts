import { readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { inRepository } from "../../repository.ts";
import { generators } from "./generators.ts";
import { findTestFiles } from "./selection.ts";

/** Written from a recording of end-to-end tests, which needs the suite. */
const needsSuite = new Set(["stack/src/documentation/coverage.test.ts"]);

describe("npm run generate", () => {
  it("runs every unit test that writes a file", () => {
    const writing = findTestFiles().filter(
      (file) =>
        file.startsWith("libs/policy-core/test/printed/") ||
        /process\.env\["UPDATE_DOCS"\]/.test(readFileSync(inRepository(file), "utf8")),
    );
    expect(generators.map(({ file }) => file).toSorted()).toEqual(
      writing.filter((file) => !needsSuite.has(file)).toSorted(),
    );
  });
});
