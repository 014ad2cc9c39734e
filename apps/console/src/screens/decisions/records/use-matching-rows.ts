import { useEffect, useMemo, useState } from "react";
import type { DecisionsSearch } from "../decisions-search.ts";
import { rowMatcher } from "./matches.ts";
import type { Names } from "./names.ts";
import { type RecordRow, rowsOf } from "./record-row.ts";
import { useRecords } from "./use-records.ts";

/** Rows that are looked for at a time. */
const wantedRows = 100;
/** Records that are read for that at most; then the reader decides. */
const recordsAtATime = 10_000;

/** How far back the list has come, and what is to be read until it stops. */
interface Goal {
  readonly rows: number;
  readonly records: number;
}

const firstGoal: Goal = { rows: wantedRows, records: recordsAtATime };

export interface MatchingRows {
  readonly rows: readonly RecordRow[];
  /** Records that were read to find them. */
  readonly read: number;
  /** The record that was read last. */
  readonly backTo: string | undefined;
  /** `complete`: every record of the time was read; `partial`: earlier ones were not; `failed`: they could not be. */
  readonly state: "reading" | "partial" | "failed" | "complete";
  readonly searchEarlier: () => void;
}

const matchingState = (
  { hasNextPage, isFetching, isFetchNextPageError }: ReturnType<typeof useRecords>["query"],
  isReached: boolean,
): MatchingRows["state"] => {
  if (isFetching) return "reading";
  if (isFetchNextPageError) return "failed";
  if (!hasNextPage) return "complete";
  // Between two pages nothing is fetched for a moment.
  return isReached ? "partial" : "reading";
};

/**
 * Reads records, the newest first, until enough of them match: the service knows times alone, so everything else is compared here.
 */
export const useMatchingRows = (projectId: string, search: DecisionsSearch, names: Names) => {
  const { query, refresh } = useRecords(projectId, search);
  const [goal, setGoal] = useState(firstGoal);
  const { data, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = query;
  const batches = useMemo(() => data?.pages.flatMap(({ items }) => items) ?? [], [data]);
  const all = useMemo(() => batches.flatMap(rowsOf), [batches]);
  const range = data?.pages[0]?.range;
  const rows = useMemo(
    () => (range === undefined ? [] : all.filter(rowMatcher(search, range, names))),
    [all, search, range, names],
  );
  const read = batches.reduce((sum, batch) => sum + batch.data.length, 0);
  const isReached = rows.length >= goal.rows || read >= goal.records;
  useEffect(() => {
    if (hasNextPage && !isFetching && !isFetchNextPageError && !isReached) void fetchNextPage();
  }, [hasNextPage, isFetching, isFetchNextPageError, isReached, fetchNextPage]);
  const matching: MatchingRows = {
    rows,
    read,
    backTo: all.at(-1)?.time,
    state: matchingState(query, isReached),
    searchEarlier: () => setGoal({ rows: rows.length + wantedRows, records: read + recordsAtATime }),
  };
  return { query, refresh, matching };
};
