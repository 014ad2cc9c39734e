/** What the demo remembers between two starts: small JSON files of mode 600 in `$IKG_HOME/demo`. */
import { mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { writePrivate } from "../home.ts";

/** Undefined when there is no such file, or one that is not JSON: it is created again then. */
export const readJson = (file: string): unknown => {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
};

export const writeJson = (file: string, content: unknown): void => {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writePrivate(file, content);
};
