type Json = Readonly<Record<string, unknown>>;

const members = ["subject", "resource", "action", "context"] as const;

/**
 * An entry of a batch with the defaults of the batch: whole members, never parts of them (AuthZEN 1.0, section 7.1.1). A
 * member that is null counts as absent.
 */
export const completeEntry = (entry: Json, defaults: Json): Json =>
  Object.fromEntries(members.map((name) => [name, entry[name] ?? defaults[name]]));
