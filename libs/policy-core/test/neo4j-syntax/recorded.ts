import { appendFileSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { withoutProject } from "./without-project.ts";

/** A statement that a test printed or ran, for the vendor's checker. */
export interface Recorded {
  readonly text: string;
  /** relative to the repository */
  readonly file: string;
  readonly test: string;
}

/** Each process writes a file of its own, one statement a line. */
export const append = (folder: string, recorded: Recorded): void => {
  mkdirSync(folder, { recursive: true });
  appendFileSync(join(folder, `${process.pid}.ndjson`), `${JSON.stringify(recorded)}\n`);
};

/** Every different statement of a folder, with the first test that had it. */
export const readRecorded = (folder: string): readonly Recorded[] => {
  const different = new Map<string, Recorded>();
  for (const name of readdirSync(folder).sort()) {
    for (const line of readFileSync(join(folder, name), "utf8").split("\n")) {
      if (line === "") continue;
      const recorded = JSON.parse(line) as Recorded; // as written above
      const key = withoutProject(recorded.text);
      if (!different.has(key)) different.set(key, recorded);
    }
  }
  return [...different.values()];
};
