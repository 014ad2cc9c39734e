import { randomUUID } from "node:crypto";
import type { Graph } from "@ikg/graph";
import { failedOutcome, type Outcome } from "./run-accepted.ts";
import type { Run } from "./tenant-digest.ts";
import type { WriteWork, WriteResult } from "./write-work.ts";

/** Ends a transaction that is not to be committed. */
class RolledBack extends Error {
  override readonly name = "RolledBack";
  readonly outcome: Outcome & WriteResult;

  constructor(outcome: Outcome & WriteResult) {
    super("the transaction is rolled back on purpose");
    this.outcome = outcome;
  }
}

/**
 * Runs writes in a transaction that is rolled back.
 *
 * @param look is called with the transaction after the writes; not where they failed
 * @param timeoutMs of the whole transaction
 * @returns the time of the writes alone, and what they answered
 */
export const runAndRollBack = async (
  graph: Graph,
  work: WriteWork,
  look: (run: Run) => Promise<void>,
  timeoutMs: number,
): Promise<Outcome & WriteResult> => {
  const requestId = randomUUID();
  const begun = performance.now();
  try {
    return await graph.shared.write(
      async (tx) => {
        const run: Run = (text, params) => tx.run(text, params);
        const written = await work(run);
        const ms = performance.now() - begun;
        await look(run);
        throw new RolledBack({ ...written, ms });
      },
      { timeoutMs, requestId },
    );
  } catch (error) {
    if (error instanceof RolledBack) return error.outcome;
    return { ...(await failedOutcome(graph, { requestId, begun }, error)), writes: 0 };
  }
};
