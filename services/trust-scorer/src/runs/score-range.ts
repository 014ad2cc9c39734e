import { setTimeout as wait } from "node:timers/promises";
import { Problem } from "@ikg/contracts";
import type { Database } from "@ikg/graph";
import { readPage, type StoredNode, writePage } from "../pages/page.ts";
import type { Scoring } from "../score/score-node.ts";
import type { Scorer } from "../scorer.ts";
import { openPace } from "./pace.ts";
import { withRetry, type RetryPolicy } from "./retry.ts";
import { type HeldRange, stillHeld } from "./ranges.ts";
import type { Run } from "./run-record.ts";

/** How often configs is told how far a range is, and a worker asks whether its run is still wanted. */
const tellMs = 1_000;

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
 * Scores a range from where it is to its end, a page at a time; the next page is read while one is written. Each page is
 * written once, whoever else thinks that the range is theirs.
 *
 * @returns how many nodes it has; undefined when it is not this worker's any more; or that its turn is over.
 * @throws as `retryUnavailable`.
 */
export const scoreRange = async (
  { scorer, run, range, database, retryPolicy: usual, isTurnOver }: RangeWork,
  taken: HeldRange,
): Promise<number | "turn over" | undefined> => {
  // A page that met an outage was waited for, not worked at: no rest is owed for it, and it says nothing of the pace.
  let disturbed = false;
  const disturbing =
    <A extends unknown[]>(tell: (...of: A) => void) =>
    (...of: A): void => {
      disturbed = true;
      tell(...of);
    };
  const retryPolicy: RetryPolicy = {
    signal: usual.signal,
    onUnavailable: disturbing(usual.onUnavailable),
    onAvailable: disturbing(usual.onAvailable),
    onRepeat: disturbing(usual.onRepeat),
  };
  const { records, settings, log, told, now } = scorer;
  const { batchSize: size, constants, pacePercent } = settings;
  const { dimensions } = run;
  const scoring: Scoring = {
    dimensions,
    now: Date.parse(run.startTime),
    expected: new Set(run.expected),
    constants,
  };
  const read = (after: string): Promise<readonly StoredNode[]> =>
    withRetry(retryPolicy, () => readPage(database, { after, upTo: held.upTo, size }));
  const ahead = (after: string): Promise<readonly StoredNode[]> => {
    const page = read(after);
    // Met by whoever awaits it, if nothing else fails before.
    page.catch(() => undefined);
    return page;
  };

  const pace = openPace(pacePercent);
  let held = taken;
  let next = ahead(held.cursor);
  let toldAt = performance.now();
  for (;;) {
    const started = performance.now();
    const nodes = await next;
    const last = nodes.at(-1);
    if (last === undefined) return held.scored;
    const isLast = nodes.length < size;
    if (!isLast) next = ahead(last.key);
    const written = await withRetry(retryPolicy, () =>
      writePage(database, run, held, nodes, scoring, now().toISOString()),
    );
    if (written === undefined) {
      // Written after all by a commit whose answer was lost, or the range is not ours any more.
      const mine = await withRetry(retryPolicy, () => stillHeld(database, held));
      if (mine === undefined || mine.cursor === held.cursor) return undefined;
      held = mine;
      if (!isLast) next = ahead(held.cursor);
    } else held = { ...held, cursor: last.key, scored: written.scored };
    told.rows(nodes.length);
    log.debug("a page of nodes is scored", {
      profile: run.profileId,
      run: run.runId,
      range,
      nodes: nodes.length,
      scored: held.scored,
      ms: Math.round(performance.now() - started),
    });
    if (isLast) return held.scored;
    if (isTurnOver()) return "turn over";
    if (performance.now() - toldAt > tellMs) {
      toldAt = performance.now();
      if (!(await isWanted(records, run, range, held.scored))) return undefined;
    }
    const rest = disturbed ? 0 : pace(performance.now() - started, nodes.length);
    disturbed = false;
    if (rest > 0) await wait(rest, undefined, { signal: retryPolicy.signal }).catch(() => undefined);
  }
};

/** Tells how far a range is. False when the run is over; while it cannot be told nobody knows. */
const isWanted = async (
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
