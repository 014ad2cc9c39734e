import { heavyMs, longMs } from "./capacity.ts";
import { type StatementClass, writeText } from "./statement-class.ts";

/** Texts of one project whose durations are remembered. */
const rememberedTexts = 500;
/** Characters of their texts: a text of a policy may be long, and is held although the policy has changed. */
const rememberedCharacters = 500_000;
/** Weight of the last measurement in the mean of a statement, and of the first run of another in what is expected of new ones. */
const weight = 0.2;
const firstRunWeight = 0.5;
/** What remains of the peak after so many milliseconds, once shorter measurements follow. */
const decay = 0.8;
const decayMs = 250;
/** Expected of the first statement of a project: a burst of new statements is started a few at a time. */
const firstMs = 100;
/** No statement costs less. */
const leastMs = 0.5;
/** What takes longer is expected to take this long at least, however quick other runs are: the bound in milliseconds is one on their number as well. */
const leastExpectedMs = 5;
/** Factors by which the estimate of the lower quartile follows a run below it, faster at first, and one above it. */
const quartileFall = 0.97;
const quartileFirstFall = 0.7;
const quartileRise = 1.01;
const firstRuns = 30;
/** Weight of a quartile below the baseline. */
const fallWeight = 0.5;
/** By how much of itself the baseline rises at most: in a second, and with runs that took longer than waits explain, in `decayMs`. */
const riseInSecond = 0.01;
const unexplainedRise = 0.1;
/** Up to so many costs, and up to this many milliseconds, a run may have waited for others. */
const explainedCosts = 20;
const explainedMs = 500;
/** Single rows that stand for one statement that joins some, and how many of them are remembered. */
const singleRunsForJoined = 4;
const maxSingleRuns = 40;
/**
 * How many times its cost a run takes because of its parameters, at most, where a statement is heavy. What it took beyond, it waited for
 * others.
 */
const ownCosts = 4;

/** What is known of the durations of a statement, or of several. */
interface Durations {
  /** Mean of its measurements, in milliseconds. */
  ms: number;
  /** Its longest measurement, less with each shorter one that followed. */
  peakMs: number;
}

/** What is known of one statement. */
interface Estimate extends Durations {
  /**
   * What its quicker runs take, in milliseconds: the cost of the statement. The slower ones wait for processors that others keep busy,
   * for the planner or for locks. Undefined while it was measured by runs with planning alone.
   */
  baselineMs: number | undefined;
  /** An estimate of the lower quartile of its last runs, which the baseline follows. */
  quartileMs: number;
  /** Number of runs that the quartile has been estimated from. */
  runs: number;
  /** The baseline is that of a run that has not ended: the end of the next run replaces it. */
  isProvisional: boolean;
  /** Recent runs with one row. While these are most of the runs, joined rows are assumed to cost no more than as many single ones. */
  singleRuns: number;
  /** When its last run ended, on the clock of the scheduler. */
  endedAt: number;
  /** When its first run ended, on the clock of the scheduler: runs that began before contain planning, which may take a hundred times as long. */
  plannedAt: number;
}

/** `long`: kept to the pace of its project while other projects are active; `heavy`: counted besides, by the processors that it keeps busy. */
export const weights = ["short", "long", "heavy"] as const;

export type Weight = (typeof weights)[number];

/** What the scheduler goes by for one statement. */
export interface ExpectedCost {
  readonly weight: Weight;
  readonly ms: number;
  /** It does not count as heavy, and a run of it recently took as long as a heavy one. */
  readonly mayTurnHeavy: boolean;
  /** It waits while its project is ahead of its pace. */
  readonly isPaced: boolean;
  /** Its duration is learnt, and says how it is scheduled. */
  readonly usesEstimate: boolean;
}

/** A statement as its durations are learnt. */
export interface StatementKey {
  readonly text: string;
  /** Number of rows that a read joins or a transaction writes, undefined where it is not known. Durations are learnt for each order of magnitude. */
  readonly rows: number | undefined;
  readonly statementClass: StatementClass;
}

/** A statement that runs or has run. */
export interface Run extends StatementKey {
  /** In milliseconds of the scheduler's clock. */
  readonly startedAt: number;
}

/** Order of magnitude of a number of rows, by factors of four: 0 for an unknown number, 1 for up to three. */
const magnitudeOf = (rows: number | undefined): number => {
  if (rows === undefined) return 0;
  return rows > 3 ? 1 + ((31 - Math.clz32(rows)) >> 1) : 1;
};

/**
 * Requests about records wait for one another by locks and for the planner, whose time has a limit of its own
 * (docs/limits.md), so their duration says little of what they cost: connections bound them, and turns.
 */
const withoutEstimate: ExpectedCost = {
  weight: "short",
  ms: leastMs,
  mayTurnHeavy: false,
  isPaced: false,
  usesEstimate: false,
};

/** @param sinceMs since the measurement before */
const peakAfter = ({ peakMs }: Durations, sinceMs: number): number => peakMs * decay ** (sinceMs / decayMs);

/** @param sinceMs since the measurement before */
const update = (estimate: Durations, ms: number, lastWeight: number, sinceMs = decayMs): void => {
  estimate.ms = Math.max(leastMs, estimate.ms + lastWeight * (ms - estimate.ms));
  estimate.peakMs = Math.max(ms, peakAfter(estimate, sinceMs));
};

const quartileAfter = ({ quartileMs, runs }: Estimate, ms: number): number => {
  if (ms >= quartileMs) return Math.min(ms, quartileMs * quartileRise);
  return Math.max(leastMs, ms, quartileMs * (runs < firstRuns ? quartileFirstFall : quartileFall));
};

/** What a run of such a cost may take because it waits for others. */
const longestExplainedMs = (costMs: number): number => Math.max(explainedMs, explainedCosts * costMs);

/** A baseline falls fast and rises slowly. @param sinceMs since the measurement before */
const baselineAfter = (baselineMs: number, quartileMs: number, ms: number, sinceMs: number): number => {
  if (ms > longestExplainedMs(baselineMs))
    return Math.min(ms, baselineMs * (1 + unexplainedRise * Math.min(1, sinceMs / decayMs)));
  if (quartileMs < baselineMs) return Math.max(leastMs, baselineMs + fallWeight * (quartileMs - baselineMs));
  return Math.min(quartileMs, baselineMs * (1 + Math.min(unexplainedRise, (riseInSecond * sinceMs) / 1_000)));
};

const isLong = (costMs: number | undefined): boolean => costMs !== undefined && costMs >= longMs;

const isHeavy = (costMs: number | undefined): boolean => costMs !== undefined && costMs >= heavyMs;

const atMost = (times: number, costMs: number | undefined, ms: number): number =>
  costMs === undefined ? ms : Math.min(ms, times * costMs);

/** A run that contains planning shows how long the statement may take, and not that it is long. */
const raise = (estimate: Durations, ms: number): void => {
  estimate.ms = Math.max(estimate.ms, ms);
  estimate.peakMs = Math.max(estimate.peakMs, ms);
};

/** A run without planning, shorter than those with it, is all that is known. */
const replace = (estimate: Durations, ms: number): void => {
  estimate.peakMs = ms;
  update(estimate, ms, 1);
};

/** Work of different kinds has one text in background work, and in transactions that write an unknown number of rows. */
const isOfAnyKind = ({ text, rows, statementClass }: StatementKey): boolean =>
  statementClass === "background" || (text === writeText(statementClass) && rows === undefined);

/** Expected durations of the statements of one project, learnt from measurements. */
export class Estimates {
  /** By text, the latest one last, and by order of magnitude of the rows. */
  readonly #known = new Map<string, (Estimate | undefined)[]>();
  #characters = 0;
  /** By class, so that background work, which may plan for long, says nothing of decisions. */
  readonly #unknown = new Map<StatementClass, Durations>();

  /**
   * Expected of a statement by its text and rows; of one that was never measured, what the first runs of others of its class took. These do
   * not make it long, nor does its own first run, because both contain planning. Background work gives way however short its
   * statements are.
   */
  of(key: StatementKey): ExpectedCost {
    const { statementClass } = key;
    if (statementClass === "administration") return withoutEstimate;
    const costMs = this.#costOf(key);
    const { ms, peakMs } = this.#find(key) ?? this.#durationsOfUnknown(key, costMs);
    const isOwnPeak = costMs === undefined || isHeavy(costMs) || peakMs > longestExplainedMs(costMs);
    const countsAsHeavy = isOwnPeak && atMost(ownCosts, costMs, peakMs) >= heavyMs;
    const mayTurnHeavy = peakMs >= heavyMs && !countsAsHeavy;
    const isPaced = statementClass === "background" || isLong(costMs);
    return {
      weight: countsAsHeavy ? "heavy" : isPaced || mayTurnHeavy ? "long" : "short",
      // Those that may turn heavy run one after the other: one in flight does not show yet what it is.
      ms:
        mayTurnHeavy && isOwnPeak
          ? Math.max(ms, heavyMs)
          : Math.max(atMost(1, costMs, ms), Math.min(ms, leastExpectedMs)),
      mayTurnHeavy,
      isPaced,
      usesEstimate: true,
    };
  }

  /** A run has taken so long at a moment of the scheduler's clock, and continues. */
  recordLeast(run: Run, now: number): void {
    const known = this.#find(run);
    const ms = now - run.startedAt;
    if (known?.baselineMs !== undefined) {
      known.peakMs = Math.max(known.peakMs, ms);
      return;
    }
    const estimate = this.#measure(run, Math.max(ms, known?.ms ?? 0));
    if (estimate.baselineMs !== undefined) estimate.isProvisional = true;
  }

  /** A run was stopped for its caller: where it took less than the statement costs, that says nothing. */
  recordStopped(run: Run, endedAt: number): void {
    const known = this.#find(run) ?? this.#remember(run, this.#unknownOf(run.statementClass));
    const { baselineMs } = known;
    if (baselineMs !== undefined && endedAt - run.startedAt > baselineMs) return this.record(run, endedAt);
    this.recordLeast(run, endedAt);
    // Else a text whose callers never wait for its end would never be known.
    known.plannedAt = Math.min(known.plannedAt, endedAt);
  }

  /** A run has ended. */
  record(run: Run, endedAt: number): void {
    const known = this.#find(run);
    if (known?.isProvisional === true && run.startedAt >= known.plannedAt) {
      known.baselineMs = undefined;
      known.isProvisional = false;
    }
    const estimate = this.#measure(run, endedAt - run.startedAt);
    estimate.endedAt = endedAt;
    estimate.plannedAt = Math.min(estimate.plannedAt, endedAt);
  }

  /**
   * Milliseconds by which a run that took `ms` is charged to the pace. Of a short statement, and of one that was measured by runs with
   * planning alone, nothing. Measured time also grows with what others do: charging all of it, a project
   * would be held back for the load of its neighbours, at the moment when it waits for them anyway.
   */
  pacedMs(run: Run, ms: number): number {
    if (run.statementClass === "administration") return 0;
    if (run.statementClass === "background") return ms;
    const costMs = this.#costOf(run);
    if (!isLong(costMs)) return 0;
    return atMost(isHeavy(costMs) || isOfAnyKind(run) ? ownCosts : 1, costMs, ms);
  }

  /**
   * The same for a run that has ended, beyond what it was charged when it began. What is known of the text may have changed meanwhile: what
   * was charged for the time that it took stays charged.
   */
  morePacedMs(run: Run, ms: number, chargedMs: number): number {
    return Math.max(this.pacedMs(run, ms), Math.min(ms, chargedMs)) - chargedMs;
  }

  /**
   * What a statement costs: its baseline; of work of any kind, where the quicker runs say nothing of the others, the mean. Rows that are joined cost no more than one by one: they are
   * joined where many wait, so that their quicker runs are those of a busy database. Undefined of what was measured by runs with planning alone.
   */
  #costOf(key: StatementKey): number | undefined {
    const known = this.#find(key);
    if (isOfAnyKind(key)) return known?.baselineMs === undefined ? undefined : known.ms;
    const { baselineMs: oneMs, singleRuns = 0 } = this.#oneByOne(key) ?? {};
    if (oneMs === undefined || singleRuns < singleRunsForJoined) return known?.baselineMs;
    return Math.min(known?.baselineMs ?? Infinity, (key.rows ?? 1) * oneMs);
  }

  #find({ text, rows }: StatementKey): Estimate | undefined {
    return this.#known.get(text)?.[magnitudeOf(rows)];
  }

  /** Of a read that joins rows, what is known of single ones. A transaction that writes has a cost of its own. */
  #oneByOne({ text, rows, statementClass }: StatementKey): Estimate | undefined {
    return magnitudeOf(rows) <= 1 || text === writeText(statementClass)
      ? undefined
      : this.#known.get(text)?.[1];
  }

  /** Expected of rows whose number was never measured: what is known of fewer, else of unknown statements. */
  #durationsOfUnknown(key: StatementKey, costMs: number | undefined): Durations {
    if (costMs !== undefined) return { ms: costMs, peakMs: this.#oneByOne(key)?.peakMs ?? 0 };
    const magnitude = magnitudeOf(key.rows);
    const fewer = this.#known
      .get(key.text)
      ?.findLast((each, at) => at > 0 && at < magnitude && each?.baselineMs !== undefined);
    return fewer ?? this.#unknownOf(key.statementClass);
  }

  #unknownOf(statementClass: StatementClass): Durations {
    let unknown = this.#unknown.get(statementClass);
    if (unknown === undefined) {
      unknown = { ms: firstMs, peakMs: 0 };
      this.#unknown.set(statementClass, unknown);
    }
    return unknown;
  }

  #measure(run: Run, ms: number): Estimate {
    const { startedAt, statementClass } = run;
    const known = this.#find(run);
    if (known === undefined) {
      update(this.#unknownOf(statementClass), ms, firstRunWeight);
      return this.#remember(run, { ms, peakMs: ms });
    }
    const isPlanned = startedAt >= known.plannedAt;
    const { baselineMs } = known;
    const sinceMs = Math.max(0, startedAt + ms - known.endedAt);
    if (!isPlanned) {
      if (baselineMs === undefined) raise(known, ms);
    } else if (baselineMs === undefined) {
      if (ms < known.ms) replace(known, ms);
      else update(known, ms, weight);
      known.baselineMs = known.quartileMs = Math.max(leastMs, ms);
    } else {
      // One pause of the database does not make a project's work long; the next slow run is its own.
      const wasSlow = startedAt >= known.endedAt && peakAfter(known, sinceMs) > ownCosts * known.ms;
      const isCapped = statementClass !== "background" && isOfAnyKind(run) && !wasSlow;
      update(known, isCapped ? atMost(ownCosts, known.ms, ms) : ms, weight, sinceMs);
      known.peakMs = Math.max(known.peakMs, ms);
      known.quartileMs = quartileAfter(known, ms);
      known.runs += 1;
      known.baselineMs = baselineAfter(baselineMs, known.quartileMs, ms, sinceMs);
    }
    this.#use(run.text);
    this.#countSingleRuns(run);
    return known;
  }

  #countSingleRuns(run: Run): void {
    const single = this.#known.get(run.text)?.[1];
    if (single === undefined || run.rows === undefined) return;
    const by = magnitudeOf(run.rows) === 1 ? 1 : -singleRunsForJoined;
    single.singleRuns = Math.min(maxSingleRuns, Math.max(0, single.singleRuns + by));
  }

  /** The texts that are used are the last to be forgotten. */
  #use(text: string): void {
    const estimates = this.#known.get(text);
    if (estimates === undefined) return;
    this.#known.delete(text);
    this.#known.set(text, estimates);
  }

  #remember(run: Run, { ms, peakMs }: Durations): Estimate {
    const estimate = {
      ms: Math.max(leastMs, ms),
      peakMs,
      baselineMs: undefined,
      quartileMs: Math.max(leastMs, ms),
      runs: 0,
      isProvisional: false,
      singleRuns: 0,
      endedAt: Infinity,
      plannedAt: Infinity,
    };
    this.#estimatesOf(run.text)[magnitudeOf(run.rows)] = estimate;
    return estimate;
  }

  /** Of a text, which is remembered from now on. */
  #estimatesOf(text: string): (Estimate | undefined)[] {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    this.#characters += text.length;
    for (const oldest of this.#known.keys()) {
      if (this.#known.size < rememberedTexts && this.#characters <= rememberedCharacters) break;
      this.#known.delete(oldest);
      this.#characters -= oldest.length;
    }
    const estimates: (Estimate | undefined)[] = [];
    this.#known.set(text, estimates);
    return estimates;
  }
}
