/** Stored fields of a node by their names; of them those that were read. */
export type Fields = Readonly<Record<string, unknown>>;

/** A map of the database, as the statement says; empty for a node that is not there. */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null ? (value as Fields) : {};
