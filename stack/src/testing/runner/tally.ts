/** What a run of checks and tests comes to, and how it ends. */
import { say } from "../../../launch/progress.mjs";
import type { Counts } from "./counts.ts";
import { add, formatCounts, none } from "./counts.ts";
import { flakyList } from "./flaky-list.ts";
import type { Summary } from "./report.ts";
import { isLongRun } from "../test-environment.ts";

export interface Tally {
  /** Checks, tests and parts that were requested. */
  readonly requested: Counts;
  /** What is looked at whatever was requested, such as logs: it can fail a run, and is no reason to call one passed. */
  readonly additional: Counts;
  /** Tests that failed and passed when they were repeated: file and name. */
  readonly flaky: readonly string[];
  /** Tests that were skipped: file and name, which has the reason. */
  readonly skipped: readonly string[];
}

export const emptyTally: Tally = { requested: none, additional: none, flaky: [], skipped: [] };

/** Of checks or parts that were requested. */
export const requestedCounts = (requested: Counts): Tally => ({ ...emptyTally, requested });

/** Of tests that were requested. */
export const summaryCounts = (summary: Summary): Tally => ({
  ...requestedCounts(summary),
  flaky: summary.flakyTests,
  skipped: summary.skippedNames,
});

export const additionalCounts = (...additional: readonly Counts[]): Tally => ({
  ...emptyTally,
  additional: add(...additional),
});

export const addTallies = (...all: readonly Tally[]): Tally => ({
  requested: add(...all.map(({ requested }) => requested)),
  additional: add(...all.map(({ additional }) => additional)),
  flaky: all.flatMap(({ flaky }) => flaky),
  skipped: all.flatMap(({ skipped }) => skipped),
});

export const failedIn = ({ requested, additional }: Tally): boolean =>
  requested.failed + additional.failed > 0;

/**
 * Prints the last lines of a run: flaky tests by name, then the numbers.
 *
 * @param nothing printed when nothing that was requested ran, including when all of it was skipped. Such a run has failed.
 * @returns the exit code
 */
export const conclude = (tally: Tally, nothing: string): number => {
  const { requested, additional, flaky } = tally;
  const isEmpty = requested.passed + requested.failed === 0;
  const listed = new Set(flakyList().map(({ file, test }) => `${file}: ${test}`));
  for (const name of flaky)
    say(
      `flaky: ${name}: failed, and passed when it was repeated${listed.has(name) ? "" : "; not in docs/testing.md"}`,
    );
  if (isEmpty) say(nothing);
  const counted = formatCounts(
    isEmpty ? { ...add(requested, additional), passed: 0 } : add(requested, additional),
  );
  say(flaky.length === 0 ? counted : `${counted}, ${flaky.length} of the passed ones flaky`);
  // The long run has time for a repetition of everything, and none for a test that is right now and then.
  return isEmpty || failedIn(tally) || (isLongRun() && flaky.length > 0) ? 1 : 0;
};

/** The message for a name that matches nothing. @param what may be named */
export const nothingMatched = (words: readonly string[], what: string): string =>
  words.length > 1
    ? `Nothing ran: no ${what} is named like "${words.join(" ")}", which is one name; several are written "${words.join("|")}".`
    : `Nothing ran: no ${what} is named like "${words.join(" ")}", or all of it was skipped.`;
