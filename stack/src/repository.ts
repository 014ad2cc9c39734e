/** Where this repository lies on the machine. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const repository = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");

export const inRepository = (...names: string[]): string => join(repository, ...names);

/** The text of a file. @param path from the root of the repository */
export const textInRepository = (path: string): string => readFileSync(inRepository(path), "utf8");
