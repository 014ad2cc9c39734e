/** Where this repository lies on the machine. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const repository = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");

export const inRepository = (...names: string[]): string => join(repository, ...names);
