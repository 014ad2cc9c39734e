/** More types than these are not worth a statement each: the database would plan every one of them for itself. */
const mostTexts = 4;

/**
 * Rows with the type that their statement names: one group for each type of a batch with few of them, one group without a
 * type otherwise. A statement that names its type finds relationships of a node by it; one that does not looks at those of
 * every type between two nodes.
 */
export const byType = <T extends { readonly type: string }>(
  rows: readonly T[],
): readonly (readonly [type: string | undefined, rows: readonly T[]])[] => {
  const groups = Map.groupBy(rows, ({ type }) => type);
  return groups.size > mostTexts ? [[undefined, rows]] : [...groups];
};
