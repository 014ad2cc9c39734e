import { compareText } from "@ikg/policy-core";

/** A range of found ids, ascending by code point. */
export interface IdRange {
  readonly ids: readonly string[];
  /** Set when the deadline ended the search: ids after this one were not searched. */
  readonly until?: string;
}

/** Ids after `after`, at most `limit`. */
export type Find = (after: string, limit: number) => Promise<IdRange>;

/** From here on UTF-16 units and code points disagree about order. */
const disputed = /[\ud800-\uffff]/;

/**
 * Continues after an id in code-point order. The database sorts stored texts by code point and compares them with a
 * parameter by UTF-16 unit (observed on 5.26.31), so an id with characters that the two orders disagree about is no
 * cursor: the search continues from the part before them, and ids that are not after it are dropped here.
 */
export const seekAfter = async (find: Find, after: string, limit: number): Promise<IdRange> => {
  const start = after.search(disputed);
  if (start < 0) return find(after, limit);
  const from = after.slice(0, start);
  for (let take = limit * 2; ; take *= 2) {
    const { ids } = await find(from, take);
    const rest = ids.filter((id) => compareText(id, after) > 0);
    if (rest.length >= limit || ids.length < take) return { ids: rest.slice(0, limit) };
  }
};

/**
 * Up to `limit` distinct ids of several finds, ascending by code point, up to where the earliest of them stopped.
 */
export const mergeAscending = (finds: readonly IdRange[], limit: number): IdRange => {
  const [only] = finds;
  if (finds.length === 1 && only !== undefined) return { ...only, ids: only.ids.slice(0, limit) };
  const [until] = finds.flatMap((each) => each.until ?? []).toSorted(compareText);
  const ids = [...new Set(finds.flatMap((each) => each.ids))].toSorted(compareText);
  if (until === undefined) return { ids: ids.slice(0, limit) };
  return { ids: ids.filter((id) => compareText(id, until) <= 0).slice(0, limit), until };
};
