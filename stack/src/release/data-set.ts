/** The data set of a release, which the tests of the next one upgrade (e2e/src/data-set). */
import { inRepository } from "../repository.ts";
import { run, type RunOptions } from "./run.ts";

/** Where the data sets are, of all releases whose data can still be upgraded. */
export const dataSetOf = (version: string): string =>
  inRepository("e2e", "data-sets", `${version}.ndjson.gz`);

/** Fills a scratch suite of this tree and keeps what its database holds. */
export const writeDataSet = (file: string, version: string, options: RunOptions): Promise<unknown> =>
  run(process.execPath, [inRepository("e2e", "src", "data-set", "write.ts"), file, version], options);
