import { loadNamedRecords, type ProjectSnapshot } from "@ikg/catalog";
import type { ChangeSetEntry } from "@ikg/contracts";
import type { Database, StatementOptions } from "@ikg/graph";

/** Tags of policies by their names. */
export type KeptTags = ReadonlyMap<string, readonly string[]>;

/**
 * Reads the tags that changes leave as they are stored, of policies that a snapshot does not hold, because they are not ACTIVE
 * yet.
 *
 * @param database where configuration records live.
 */
export const loadKeptTags = async (
  database: Database,
  snapshot: ProjectSnapshot,
  changes: readonly ChangeSetEntry[],
  options: StatementOptions,
): Promise<KeptTags> => {
  const active = new Set(snapshot.kbacPolicies().map(({ name }) => name));
  const activated = changes.filter(
    (change) =>
      change.op === "put" &&
      change.collection === "authorization-policies" &&
      change.record.status === "ACTIVE" &&
      change.record.tags === undefined &&
      !active.has(change.name),
  );
  const records = await loadNamedRecords(database, snapshot.project.id, activated, options);
  return new Map(records.map(({ name, tags }) => [name, tags]));
};
