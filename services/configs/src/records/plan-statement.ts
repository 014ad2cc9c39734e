import { withTimeout } from "@ikg/concurrency";
import { Problem } from "@ikg/contracts";
import { DataFault, type Transaction } from "@ikg/graph";
import type { Trial } from "./collection.ts";
import type { PlannedTexts } from "./planned-texts.ts";

/** The planning of one body's statements by the database. */
export interface TrialPlans {
  /** How long one statement may be planned, in milliseconds. */
  readonly statementMs: number;
  /** Statements that were sent to be planned. Each settles when the database is done with it, even if no caller waits for it. */
  readonly sent: Promise<unknown>[];
  /** Statements that are not planned again. */
  readonly planned: PlannedTexts;
}

/**
 * Lets the database plan a statement; it may refuse what the checks of the language cannot see. A transaction's timeout does
 * not bound planning, and a text that is planned for long would block every process that meets it first.
 *
 * @throws Problem `unprocessable` (422).
 */
export const planStatement = async (
  tx: Transaction,
  { text, fault }: Trial,
  plans: TrialPlans,
): Promise<void> => {
  const { statementMs, sent, planned } = plans;
  if (planned.has(text)) return;
  const run = tx.run(`EXPLAIN ${text}`, {});
  sent.push(run);
  try {
    await withTimeout(
      run,
      statementMs,
      () =>
        new Problem("unprocessable", {
          errors: [`${fault} within ${statementMs} ms (limit PLANNING_MS); write a smaller pattern`],
        }),
    );
    planned.add(text);
  } catch (error) {
    if (!(error instanceof DataFault)) throw error;
    throw new Problem("unprocessable", { errors: [fault], cause: error });
  }
};
