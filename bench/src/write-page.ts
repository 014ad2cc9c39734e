import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Writes `docs/benchmarks.md`. */
export const writePage = (text: string): void =>
  writeFileSync(fileURLToPath(new URL("../../docs/benchmarks.md", import.meta.url)), text);
