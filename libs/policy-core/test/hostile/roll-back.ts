import { randomUUID } from "node:crypto";
import { type Graph, StatementTimeout } from "@ikg/graph";
import { failedOutcome, type Outcome } from "./run-accepted.ts";
import type { Run } from "./tenant-digest.ts";
import type { WriteResult, WriteWork } from "./write-work.ts";

/** Ends a transaction that must not commit. */
class RollBack extends Error {
  override readonly name = "RollBack";

  constructor() {
    super("the transaction is rolled back on purpose");
  }
}

/** Times in milliseconds. */
export interface WriteTimes {
  /** When the writes are to be ended. */
  readonly limitMs: number;
  /** For the look at what they wrote. */
  readonly lookMs: number;
}

/** How writes ended, with the time of the writes alone. */
export interface WriteOutcome extends Outcome, WriteResult {
  /** Why what they wrote could not be looked at. */
  readonly lookError?: unknown;
}

/**
 * Runs writes in a transaction that is rolled back.
 *
 * @param look is called with the transaction after the writes; not where they failed
 */
export const runAndRollBack = async (
  graph: Graph,
  work: WriteWork,
  look: (run: Run) => Promise<void>,
  { limitMs, lookMs }: WriteTimes,
): Promise<WriteOutcome> => {
  const requestId = randomUUID();
  const startMs = performance.now();
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(new StatementTimeout(limitMs)), limitMs);
  /** Of the writes; a transaction that is tried again has several. */
  const outcomes: WriteOutcome[] = [];
  try {
    return await graph.shared.write(
      async (tx) => {
        const run: Run = (text, params) => tx.run(text, params);
        const result = await work(run);
        limit.signal.throwIfAborted();
        clearTimeout(timer);
        outcomes.push({ ...result, ms: performance.now() - startMs, end: "answer" });
        await look(run);
        throw new RollBack();
      },
      { timeoutMs: limitMs + lookMs, requestId, signal: limit.signal },
    );
  } catch (error) {
    const outcome = outcomes.at(-1);
    if (outcome === undefined)
      return { ...(await failedOutcome(graph, { requestId, startMs }, error)), writes: 0 };
    return error instanceof RollBack ? outcome : { ...outcome, lookError: error };
  } finally {
    clearTimeout(timer);
  }
};
