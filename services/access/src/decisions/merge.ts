import { compareText } from "@ikg/policy-core";

/** Up to `limit` ids of several ascending lists, ascending by code point, each once. */
export const mergeAscending = (lists: readonly (readonly string[])[], limit: number): readonly string[] => {
  const [only] = lists;
  if (lists.length === 1 && only !== undefined) return only.slice(0, limit);
  return [...new Set(lists.flat())].toSorted(compareText).slice(0, limit);
};
