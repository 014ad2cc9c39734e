import { type AuditRecord, type IkgAdmin, type ReplayedDecision, replayPortions } from "@ikg/client";

/** Results by the key of their row. */
export type Results = ReadonlyMap<string, ReplayedDecision>;

export interface ReplayState {
  readonly status: "running" | "done" | "stopped" | "failed";
  readonly results: Results;
  /** Records that were sent and answered, of how many. */
  readonly done: number;
  readonly of: number;
  /** Why it failed. */
  readonly error?: unknown;
}

/** The key of the row of a decision: `record-row.ts` makes the same. */
const resultKey = ({ record, entry }: Pick<ReplayedDecision, "record" | "entry">): string =>
  entry === undefined ? record : `${record} ${entry}`;

/**
 * Decides recorded decisions again, portion by portion.
 *
 * @param onState called with each state, at last with one that is not running. It never throws.
 */
export const runReplay = async (
  admin: IkgAdmin,
  records: readonly AuditRecord[],
  signal: AbortSignal,
  onState: (state: ReplayState) => void,
): Promise<void> => {
  const results = new Map<string, ReplayedDecision>();
  let done = 0;
  const say = (status: ReplayState["status"], error?: unknown): void =>
    onState({ status, results: new Map(results), done, of: records.length, error });
  say("running");
  try {
    for await (const portion of replayPortions(records)) {
      const { results: decided } = await admin.simulations.replay({ records: portion }, { signal });
      for (const each of decided) results.set(resultKey(each), each);
      done += portion.length;
      say("running");
    }
    say("done");
  } catch (error) {
    if (signal.aborted) say("stopped");
    else say("failed", error);
  }
};
