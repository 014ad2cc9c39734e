import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../../../../.tools/checked-statements", import.meta.url));

/** Texts that a program has found clean, kept from run to run: what was checked once need not be checked again. */
export interface Memory {
  has(text: string): boolean;
  add(text: string): void;
}

const digest = (text: string): string => createHash("sha256").update(text).digest("base64url").slice(0, 22);

/** @param name changes with everything on which a verdict depends but the text */
export const openMemory = (name: string): Memory => {
  const file = `${folder}/${name}`;
  const known = new Set(existsSync(file) ? readFileSync(file, "utf8").split("\n") : []);
  return {
    has: (text) => known.has(digest(text)),
    add: (text) => {
      mkdirSync(folder, { recursive: true });
      known.add(digest(text));
      // One short line, so that those of two processes never mix.
      appendFileSync(file, `${digest(text)}\n`);
    },
  };
};
