import type { CaptureResults, OnMissing, SkippedItem, UpsertResults } from "@ikg/contracts";

/** Rows in the order of their keys, so that parallel batches lock alike, each with its place. */
export const sortedRows = <T extends { readonly k: string }>(
  rows: readonly T[],
): readonly (T & { i: number })[] =>
  rows.toSorted((a, b) => (a.k < b.k ? -1 : a.k > b.k ? 1 : 0)).map((row, i) => ({ ...row, i }));

/** The answer to items whose gids these are; a delete that found nothing has none. */
export const resultsOf = (ids: readonly string[]): CaptureResults => ({
  results: ids.map((id) => ({ id })),
});

/** The answer to a batch that writes: callers that allow items to be left out receive the list of them. */
export const upsertResultsOf = (
  ids: readonly string[],
  onMissing: OnMissing,
  skipped: readonly SkippedItem[] = [],
): UpsertResults => (onMissing === "skip" ? { ...resultsOf(ids), skipped: [...skipped] } : resultsOf(ids));
