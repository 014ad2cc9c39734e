import { afterEach, expect } from "@jest/globals";
import { runs } from "../runs.ts";
import { complaintsOf } from "./checker.ts";

const printed = new Set<string>();
let generated = 0;

/** Texts of one file of generated cases that the checker looks at in `npm test`; a fuzzing run looks at all. */
const sample = 20;

const isGenerated = (): boolean => expect.getState().testPath?.endsWith(".fuzz.test.ts") ?? false;

/** Statements of the database library, which prepares the schema. */
const ofLibrary = /^(CREATE (CONSTRAINT|RANGE INDEX)|SHOW|CALL db\.)/;

/** Notes a statement that a test has run on the database. */
export const note = (text: string): void => {
  if (printed.has(text) || ofLibrary.test(text)) return;
  if (isGenerated() && (generated += 1) > runs(sample)) return;
  printed.add(text);
};

/**
 * Holds every statement that the tests of a file run on the database against the vendor's checker: a test that runs
 * one which it does not like fails, even when the database took it.
 */
export const checkEveryStatement = (): void => {
  // The tests run on a second server, too, after they were run with the checker on the first.
  if (process.env["IKG_CHECKED_STATEMENTS"] === "elsewhere") return;
  afterEach(() => {
    const complaints = [...printed].flatMap((text) => {
      const found = complaintsOf(text);
      return found.length === 0 ? [] : [`${found.join("\n")}\n${text}`];
    });
    printed.clear();
    expect(complaints).toEqual([]);
  }, 120_000);
};
