import { loadNamedRecords } from "@ikg/catalog";
import { Problem, type ChangeSetEntry, versionConflict } from "@ikg/contracts";
import type { Database, StatementOptions } from "@ikg/graph";

/**
 * Requires the versions that changes expect of their records, as they are stored now, whatever their status.
 *
 * @param database where configuration records live.
 * @throws Problem "conflict" (409) naming every record that is of another version, with both versions.
 */
export const requireVersions = async (
  database: Database,
  projectId: string,
  changes: readonly ChangeSetEntry[],
  options: StatementOptions,
): Promise<void> => {
  const guarded = changes.filter(({ if_version }) => if_version !== undefined);
  const records = await loadNamedRecords(database, projectId, guarded, options);
  const versionOf = ({ collection, name }: ChangeSetEntry): number | undefined =>
    records.find((each) => each.collection === collection && each.name === name)?.version;
  const errors = changes.flatMap((change, index) => versionConflict(change, index, versionOf(change)) ?? []);
  if (errors.length > 0) throw new Problem("conflict", { errors });
};
