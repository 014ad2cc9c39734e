import { joinSummaries, type Summary } from "./report.ts";
import { runWithRetry } from "./retry.ts";
import { isAloneFile } from "./tier.ts";

/**
 * Runs end-to-end tests: first those that can share the services with each other, then one at a time those that measure how long
 * one tenant waits beside another, or start a suite of their own.
 *
 * @param run runs the files in that many processes
 */
export const runEndToEnd = async (
  files: readonly string[],
  run: (files: readonly string[], processes: number) => Promise<Summary>,
): Promise<Summary> => {
  const alone = files.filter(isAloneFile);
  const beside = files.filter((file) => !isAloneFile(file));
  const summaries: Summary[] = [];
  if (beside.length > 0) summaries.push(await runWithRetry(beside, run));
  if (alone.length > 0) summaries.push(await run(alone, 1));
  return joinSummaries(summaries);
};
