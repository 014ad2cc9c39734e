/** What a run of checks and tests comes to, and how it ends. */
import { say } from "../../launch/progress.mjs";
import type { Counts } from "./counts.ts";
import { add, formatCounts, none } from "./counts.ts";
import { flakyList } from "./flaky-list.ts";
import type { Summary } from "./report.ts";

export interface Tally {
  /** Checks, tests and parts that were asked for. */
  readonly asked: Counts;
  /** What is looked at whatever was asked for, such as logs: it can fail a run, and is no reason to call one passed. */
  readonly besides: Counts;
  /** Tests that failed and passed when they were repeated: file and name. */
  readonly flaky: readonly string[];
}

export const emptyTally: Tally = { asked: none, besides: none, flaky: [] };

/** Of checks or parts that were asked for. */
export const askedFor = (asked: Counts): Tally => ({ ...emptyTally, asked });

/** Of tests that were asked for. */
export const tested = (summary: Summary): Tally => ({ ...askedFor(summary), flaky: summary.flakyTests });

export const lookedAt = (...besides: readonly Counts[]): Tally => ({
  ...emptyTally,
  besides: add(...besides),
});

export const addTallies = (...all: readonly Tally[]): Tally => ({
  asked: add(...all.map(({ asked }) => asked)),
  besides: add(...all.map(({ besides }) => besides)),
  flaky: all.flatMap(({ flaky }) => flaky),
});

export const failedIn = ({ asked, besides }: Tally): boolean => asked.failed + besides.failed > 0;

/**
 * Says the last lines of a run: flaky tests by name, then the numbers.
 *
 * @param nothing said when nothing ran of what was asked for, be it that all of it was skipped. Such a run has failed.
 * @returns the exit code
 */
export const conclude = (tally: Tally, nothing: string): number => {
  const { asked, besides, flaky } = tally;
  const isEmpty = asked.passed + asked.failed === 0;
  const listed = new Set(flakyList().map(({ file, test }) => `${file}: ${test}`));
  for (const name of flaky)
    say(
      `flaky: ${name}: failed, and passed when it was repeated${listed.has(name) ? "" : "; not in docs/testing.md"}`,
    );
  if (isEmpty) say(nothing);
  const counted = formatCounts(isEmpty ? { ...add(asked, besides), passed: 0 } : add(asked, besides));
  say(flaky.length === 0 ? counted : `${counted}, ${flaky.length} of the passed ones flaky`);
  return isEmpty || failedIn(tally) ? 1 : 0;
};

/** What a person is told who asked for something that there is not. @param what may be named */
export const nothingLike = (words: readonly string[], what: string): string =>
  words.length > 1
    ? `Nothing ran: no ${what} is named like "${words.join(" ")}", which is one name; several are written "${words.join("|")}".`
    : `Nothing ran: no ${what} is named like "${words.join(" ")}", or all of it was skipped.`;
