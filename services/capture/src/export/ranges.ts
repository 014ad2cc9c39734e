import { keyPrefix, type KeyRange, prefixRange, type ProjectKey, systemTypes } from "@ikg/physical";

/**
 * Where the nodes of a project are, by their unique key. Trust scores, one for each scored node, are left out.
 *
 * @param types undefined for all.
 */
export const keyRanges = (pk: ProjectKey, types: readonly string[] | undefined): readonly KeyRange[] => {
  if (types !== undefined) return types.map((type) => prefixRange(keyPrefix(pk, type)));
  const all = prefixRange(`${pk}/`);
  const scores = prefixRange(keyPrefix(pk, systemTypes.trustScore));
  return [
    { after: all.after, before: scores.after },
    { after: scores.before, before: all.before },
  ];
};
