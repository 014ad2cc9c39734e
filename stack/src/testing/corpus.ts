/** Real graphs, policies and queries, kept outside of the repository. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";

const named = process.env["IKG_CORPUS"] ?? "";

/** The folder that `IKG_CORPUS` names; undefined where it names none. */
export const corpusFolder = named !== "" && existsSync(named) ? resolve(named) : undefined;

/** Why a test of the corpus is skipped, for its name; undefined where the corpus is there. */
export const corpusIsAbsent =
  corpusFolder === undefined ? "IKG_CORPUS names no folder of policies" : undefined;
