import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "@jest/globals";
import { runs } from "../runs.ts";
import { append } from "./recorded.ts";
import { withoutProject } from "./without-project.ts";

/**
 * Where statements are recorded for the vendor's checker, which runs once over all of them after the tests: each process of
 * the tests would load it, and check again what another one has printed. `npm test` names a folder to unit tests,
 * `npm run test:long` and `npm run fuzz` to integration tests as well. Without it nothing is recorded.
 */
const folder = process.env["IKG_STATEMENTS"] ?? "";

/** Why a test that only records is skipped, for its name; undefined where its statements are checked. */
export const notRecorded = folder === "" ? "IKG_STATEMENTS names no folder for the checker" : undefined;

const repository = fileURLToPath(new URL("../../../..", import.meta.url));

/** Texts of one file of generated cases that the checker looks at; a fuzzing run looks at as many as it has cases. */
const sample = runs(20);

/** Statements of the database library, which prepares the schema. */
const ofLibrary = /^(CREATE (CONSTRAINT|RANGE INDEX)|SHOW|CALL db\.)/;

const noted = new Set<string>();

const isFull = (): boolean =>
  noted.size >= sample && /\.fuzz(\.long)?\.test\.ts$/.test(expect.getState().testPath ?? "");

/** Notes a statement that a test has run on the database. */
export const note = (text: string): void => {
  if (!isFull() && !ofLibrary.test(text)) record(text);
};

/** Notes a statement, whatever it is: one that the vendor's checker does not like fails the run. */
export const record = (text: string): void => {
  const key = withoutProject(text);
  if (folder === "" || noted.has(key)) return;
  const { testPath = "", currentTestName: test = "before its tests" } = expect.getState();
  noted.add(key);
  append(folder, { text, file: relative(repository, testPath), test });
};
