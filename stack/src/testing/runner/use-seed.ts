/** Begins every random test of a process with the seed of the run; a test that fails prints the case as well. */
import fc from "fast-check";

const seed = process.env["IKG_FUZZ_SEED"];
if (seed !== undefined && seed !== "")
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) });
