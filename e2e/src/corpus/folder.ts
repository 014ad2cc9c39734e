import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Real graphs, policies and queries, kept outside of the repository: `IKG_CORPUS`, or `../shared/corpus` beside it. */
export const corpusFolder = (): string =>
  process.env["IKG_CORPUS"] || fileURLToPath(new URL("../../../../shared/corpus", import.meta.url));

export const corpusIsThere = (): boolean => existsSync(corpusFolder());
