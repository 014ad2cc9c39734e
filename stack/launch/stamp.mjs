/** Stamps: a small file beside something prepared, saying from what it was prepared. */
import { createHash } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";

/**
 * One value for the contents of several files.
 * @param {readonly string[]} files
 */
export const stampOf = (files) => {
  const hash = createHash("sha256");
  for (const file of files) {
    const content = readFileSync(file);
    hash.update(`${content.length}\n`).update(content);
  }
  return hash.digest("hex");
};

/** @param {string} file @param {string} stamp */
export const isFresh = (file, stamp) => {
  try {
    return readFileSync(file, "utf8") === stamp;
  } catch {
    return false;
  }
};

/** Written under another name first: a stamp exists whole or not at all. @param {string} file @param {string} stamp */
export const writeStamp = (file, stamp) => {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, stamp);
  renameSync(draft, file);
};
