/** Members by their names: equal maps have equal texts. */
const inOrder = (_key: string, value: unknown): unknown => {
  if (typeof value === "bigint") return value.toString();
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
};

/** A row, or several, as JSON in which members are sorted by name. */
export const rowText = (row: unknown): string => JSON.stringify(row, inOrder);
