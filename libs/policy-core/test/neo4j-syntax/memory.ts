import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isLong } from "../runs.ts";

/** What is kept with the sources: the statements of the tests as they are, so that a fresh clone need not check them. */
const keptFolder = fileURLToPath(new URL("clean", import.meta.url));
/** What this machine has found besides. */
const ownFolder = fileURLToPath(new URL("../../../../.tools/checked-statements", import.meta.url));

/** Texts that a program has found clean, kept from run to run: what was checked once need not be checked again. */
export interface Memory {
  has(text: string): boolean;
  add(text: string): void;
  /** Puts what is kept with the sources to these texts. */
  keep(texts: readonly string[]): void;
}

const digest = (text: string): string => createHash("sha256").update(text).digest("base64url").slice(0, 22);

/** The checker's time grows faster than a text: some take it many seconds. */
const maxRepeatedLength = 600;

/** One in 64 of the short ones is checked whatever is known of it: a checker that finds nothing any more would be noticed. */
const isChecked = (text: string): boolean =>
  isLong() || (text.length <= maxRepeatedLength && digest(text).startsWith("A"));

const linesOf = (file: string): readonly string[] =>
  existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];

/** @param name changes with everything on which a verdict depends but the text */
export const openMemory = (name: string): Memory => {
  const [kept, own] = [`${keptFolder}/${name}`, `${ownFolder}/${name}`];
  const known = new Set([...linesOf(kept), ...linesOf(own)]);
  return {
    has: (text) => known.has(digest(text)) && !isChecked(text),
    add: (text) => {
      mkdirSync(ownFolder, { recursive: true });
      known.add(digest(text));
      // One short line, so that those of two processes never mix.
      appendFileSync(own, `${digest(text)}\n`);
    },
    keep: (texts) => {
      mkdirSync(keptFolder, { recursive: true });
      const digests = [...new Set(texts.map(digest))].toSorted();
      writeFileSync(kept, digests.map((each) => `${each}\n`).join(""));
    },
  };
};
