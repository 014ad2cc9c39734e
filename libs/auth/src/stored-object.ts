/**
 * The object in a JSON text of a record; empty for anything else. One record that is damaged grants nothing, and fails no look-up of
 * others in the same statement.
 */
export const storedObject = (text: unknown): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = typeof text === "string" ? JSON.parse(text) : {};
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
};
