import { compareText } from "@ikg/policy-core";
import type { IdRange } from "./seek.ts";

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
