/** The seed of a run: random tests draw other cases each time, and the same ones when a person names it. */
import { randomInt } from "node:crypto";

/** The variable that generators read. */
export const seedVariable = "IKG_FUZZ_SEED";

/** The seed that a person named, or a new one. */
export const chooseSeed = (env: NodeJS.ProcessEnv): string =>
  env[seedVariable] || String(randomInt(2 ** 31 - 1));
