/** Undefined for a value of any other type. */
export const stringOrUndefined = (value: unknown): string | undefined =>
  typeof value === "string" ? value : undefined;
