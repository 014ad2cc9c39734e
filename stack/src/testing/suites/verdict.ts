/** What a check of a running suite has found: one line, and one more test that passed or failed. */
import { say } from "../../../launch/progress.mjs";
import type { Counts } from "../runner/counts.ts";
import { one } from "../runner/counts.ts";

export const verdict = (passed: boolean, text: string): Counts => {
  say(`${passed ? "passed" : "FAILED"}: ${text}`);
  return one(passed);
};
