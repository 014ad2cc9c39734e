/** Advice objects of a filter, in the order in which they are written. */
export const adviceOf = (filter: unknown): readonly Readonly<Record<string, string>>[] => {
  if (Array.isArray(filter)) return filter.flatMap(adviceOf);
  if (typeof filter !== "object" || filter === null) return [];
  // A filter of a policy, as its author wrote it.
  const { advice, operands } = filter as { advice?: Readonly<Record<string, string>>; operands?: unknown };
  return [...(advice === undefined ? [] : [advice]), ...adviceOf(operands)];
};
