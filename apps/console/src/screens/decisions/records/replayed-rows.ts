import type { Results } from "../replay/replay-run.ts";
import { differs } from "../replay/verdicts.ts";
import { isReplayable, type RecordRow } from "./record-row.ts";

/** The rows whose decision differs today. Without results, as of a replay that failed at once, nothing is left out. */
export const differentRows = (
  rows: readonly RecordRow[],
  results: Results | undefined,
): readonly RecordRow[] =>
  results === undefined || results.size === 0
    ? rows
    : rows.filter(({ key }) => {
        const result = results.get(key);
        return result !== undefined && differs(result);
      });

/** Whether a decision of the list has no result. A batch that cannot be replayed has one for all of its entries. */
export const hasUnreplayed = (rows: readonly RecordRow[], results: Results): boolean =>
  rows.some(({ key, record }) => isReplayable(record) && !results.has(key) && !results.has(record.id));
