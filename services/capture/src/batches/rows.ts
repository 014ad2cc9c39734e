import type { CaptureResults, OnMissing, SkippedItem, UpsertResults } from "@ikg/contracts";

/** Rows in the order of their keys, in which all batches lock nodes; `i` is the index of each. */
export const sortedRows = <T extends { readonly k: string }>(
  rows: readonly T[],
): readonly (T & { i: number })[] =>
  rows.toSorted((a, b) => (a.k < b.k ? -1 : a.k > b.k ? 1 : 0)).map((row, i) => ({ ...row, i }));

/** The response with one gid for each item; empty where a delete found nothing. */
export const resultsOf = (ids: readonly string[]): CaptureResults => ({
  results: ids.map((id) => ({ id })),
});

/** The response to a batch that writes; with `on_missing: "skip"` it lists the items that were skipped. */
export const upsertResultsOf = (
  ids: readonly string[],
  onMissing: OnMissing,
  skipped: readonly SkippedItem[] = [],
): UpsertResults => (onMissing === "skip" ? { ...resultsOf(ids), skipped: [...skipped] } : resultsOf(ids));
