/** A text of an address. Numbers and truth values come from addresses that were written by hand. */
export const addressText = (value: unknown): string | undefined => {
  if (typeof value === "string") return value.toWellFormed();
  return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
};
