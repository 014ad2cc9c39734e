import { setTimeout as wait } from "node:timers/promises";
import { Problem } from "@ikg/contracts";
import type { Database } from "@ikg/graph";
import type { ScoringContext } from "../score/score-node.ts";
import type { Scorer } from "../scorer.ts";
import { readPage, type StoredNode, writePage } from "./page.ts";
import { openPace } from "./pace.ts";
import { withRetry, type RetryPolicy } from "./retry.ts";
import { type HeldRange, stillHeld } from "./ranges.ts";
import type { Run } from "./run-record.ts";

/** Milliseconds between two reports of the progress of a range, which also show whether its run is over. */
const reportMs = 1_000;

export interface RangeWork {
  readonly scorer: Scorer;
  readonly run: Run;
  /** Its number. */
  readonly range: number;
  readonly database: Database;
  readonly retryPolicy: RetryPolicy;
  /** True when others wait and this range has had its turn; looked at after every page. */
  readonly isTurnOver: () => boolean;
}

/**
 * A retry policy that notes failures: a page with one has waited, not worked, so that it needs no pause and says nothing about
 * the pace.
 */
const observeFailures = (base: RetryPolicy) => {
  let hasFailed = false;
  const observe =
    <A extends unknown[]>(report: (...args: A) => void) =>
    (...args: A): void => {
      hasFailed = true;
      report(...args);
    };
  const policy: RetryPolicy = {
    ...base,
    onUnavailable: observe(base.onUnavailable),
    onAvailable: observe(base.onAvailable),
    onRepeat: observe(base.onRepeat),
  };
  /** Whether there was a failure since the last call. */
  const takeFailure = (): boolean => {
    const failed = hasFailed;
    hasFailed = false;
    return failed;
  };
  return { policy, takeFailure };
};

/** Begins to read a page before it is needed; a failure is thrown where the page is awaited. */
const pageReader =
  ({ scorer, database }: RangeWork, policy: RetryPolicy, upTo: string) =>
  (after: string): Promise<readonly StoredNode[]> => {
    const size = scorer.settings.batchSize;
    const page = withRetry(policy, () => readPage(database, { after, upTo, size }));
    page.catch(() => undefined);
    return page;
  };

const scoringOf = ({ scorer, run }: RangeWork): ScoringContext => ({
  dimensions: run.dimensions,
  now: Date.parse(run.startTime),
  expected: new Set(run.expected),
  constants: scorer.settings.constants,
});

/** The range after a page of it was written. */
interface Advanced {
  readonly held: HeldRange;
  /** False when another attempt wrote other pages than this one: reading continues at its cursor. */
  readonly isAsExpected: boolean;
}

/** Writes the scores of a page once. @returns undefined when another worker has the range */
const advance = async (
  { scorer, run, database }: RangeWork,
  policy: RetryPolicy,
  scoring: ScoringContext,
  held: HeldRange,
  nodes: readonly StoredNode[],
): Promise<Advanced | undefined> => {
  const { now } = scorer;
  const written = await withRetry(policy, () =>
    writePage(database, run, held, nodes, scoring, now().toISOString()),
  );
  if (written !== undefined) {
    const cursor = nodes.at(-1)?.key ?? held.cursor;
    return { held: { ...held, cursor, scored: written.scored }, isAsExpected: true };
  }
  // A commit whose answer was lost wrote it after all, or another worker has the range.
  const current = await withRetry(policy, () => stillHeld(database, held));
  return current === undefined || current.cursor === held.cursor
    ? undefined
    : { held: current, isAsExpected: false };
};

/** Returns a function that reports progress once a second; it resolves to false when the run is over. */
const progressReporter = ({ scorer, run, range }: RangeWork) => {
  let reportedAt = performance.now();
  return async (scored: number): Promise<boolean> => {
    if (performance.now() - reportedAt <= reportMs) return true;
    reportedAt = performance.now();
    return isRunOpen(scorer.records, run, range, scored);
  };
};

/**
 * Scores a range from where it is to its end, a page at a time; the next page is read while one is written. Each page is
 * written once, even if another worker takes the range.
 *
 * @returns how many nodes it has; `turn_over` when others wait; undefined when another worker has it or the run is over.
 * @throws as `withRetry`.
 */
export const scoreRange = async (
  work: RangeWork,
  initial: HeldRange,
): Promise<number | "turn_over" | undefined> => {
  const { scorer, run, range, isTurnOver } = work;
  const { log, metrics, settings } = scorer;
  const { policy, takeFailure } = observeFailures(work.retryPolicy);
  const readAhead = pageReader(work, policy, initial.upTo);
  const scoring = scoringOf(work);
  const pace = openPace(settings.pacePercent);
  const reportProgress = progressReporter(work);

  let held = initial;
  let next = readAhead(held.cursor);
  for (;;) {
    const started = performance.now();
    const nodes = await next;
    const last = nodes.at(-1);
    if (last === undefined) return held.scored;
    const isLast = nodes.length < settings.batchSize;
    if (!isLast) next = readAhead(last.key);
    const advanced = await advance(work, policy, scoring, held, nodes);
    if (advanced === undefined) return undefined;
    held = advanced.held;
    if (!isLast && !advanced.isAsExpected) next = readAhead(held.cursor);
    const ms = Math.round(performance.now() - started);
    const { profileId: profile, runId } = run;
    metrics.rows(nodes.length);
    log.debug("a page of nodes is scored", {
      profile,
      run: runId,
      range,
      nodes: nodes.length,
      scored: held.scored,
      ms,
    });
    if (isLast) return held.scored;
    if (isTurnOver()) return "turn_over";
    if (!(await reportProgress(held.scored))) return undefined;
    const pauseMs = takeFailure() ? 0 : pace(performance.now() - started, nodes.length);
    if (pauseMs > 0) await wait(pauseMs, undefined, { signal: policy.signal }).catch(() => undefined);
  }
};

/** Reports the progress of a range. False when the run is over; an unavailable database leaves that open. */
const isRunOpen = async (
  records: Scorer["records"],
  run: Run,
  range: number,
  scored: number,
): Promise<boolean> => {
  try {
    return (await records.progress(run, range, scored, false)) !== undefined;
  } catch (error) {
    if (error instanceof Problem) return true;
    throw error;
  }
};
