import { behindPrefix, keyPrefix, type ProjectKey, systemTypes } from "@ikg/physical";

/** Keys of nodes between two texts, both exclusive. */
export interface KeyRange {
  readonly after: string;
  readonly before: string;
}

const rangeOf = (prefix: string): KeyRange => ({ after: prefix, before: behindPrefix(prefix) });

/**
 * Where the nodes of a project are, by their unique key. Trust scores, one for each scored node, are left out.
 *
 * @param types undefined for all.
 */
export const keyRanges = (pk: ProjectKey, types: readonly string[] | undefined): readonly KeyRange[] => {
  if (types !== undefined) return types.map((type) => rangeOf(keyPrefix(pk, type)));
  const all = rangeOf(`${pk}/`);
  const scores = rangeOf(keyPrefix(pk, systemTypes.trustScore));
  return [
    { after: all.after, before: scores.after },
    { after: scores.before, before: all.before },
  ];
};
