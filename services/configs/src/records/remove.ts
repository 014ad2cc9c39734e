import { type Gid, isGid, Problem } from "@ikg/contracts";
import { type Transaction, withTimeoutAsUnavailable } from "@ikg/graph";
import {
  boundTo,
  graphRemovalLabel,
  lookUpProperties,
  partOf,
  recordLabel,
  type RecordLabelKind,
  versionLabel,
  versionOf,
} from "@ikg/physical";
import { type RemovedGraph, removalOf } from "./removal-note.ts";
import { dependentsOf } from "./dependents.ts";
import { checkIfMatch, type Precondition } from "./if-match.ts";
import { lockRecords } from "./lock.ts";
import { givesOwnership, requireOwner } from "./owners.ts";
import type { StoredRecord } from "./record.ts";
import { type CallerContext, requireReach, statementOptions, type Store } from "./store.ts";
import { removeSystemNodes } from "./system-node.ts";
import type { TransitionWriter } from "./transition.ts";
import { countRemoved } from "./usage.ts";

const partsText = `UNWIND $ids AS id MATCH (:${recordLabel} {id: id})<-[:${partOf}|${boundTo}]-(c:${recordLabel}) RETURN DISTINCT c.id AS id`;
const deleteText = [
  `UNWIND $ids AS id MATCH (r:${recordLabel} {id: id})`,
  `OPTIONAL MATCH (v:${versionLabel})-[:${versionOf}]->(r) DETACH DELETE v, r`,
].join(" ");

/** Deletes records, which are locked, with their former versions. */
export const deleteRecords = async (tx: Transaction, records: readonly StoredRecord[]): Promise<void> =>
  void (await tx.run(deleteText, { ids: records.map((record) => record.id) }));

const noteText = `CREATE (n:${graphRemovalLabel}) SET n = $note`;

/** @throws Problem `conflict` naming the records that depend on this one. */
const checkNoDependents = async (tx: Transaction, record: StoredRecord): Promise<void> => {
  const dependents = (await dependentsOf(tx, [record.id])).get(record.id) ?? [];
  if (dependents.length > 0)
    throw new Problem("conflict", {
      errors: dependents.map(({ description }) => `id: used by ${description}`),
    });
};

/**
 * The record and everything that it contains, locked level by level: a transaction that adds a part locks what contains
 * it, so each level is complete once the one above is locked.
 */
const contents = async (tx: Transaction, root: StoredRecord): Promise<StoredRecord[]> => {
  const all = [root];
  let level: readonly Gid[] = [root.id];
  while (level.length > 0) {
    const rows = await tx.run(partsText, { ids: level });
    const parts = await lockRecords(
      tx,
      rows.map((row) => row["id"] as Gid), // ids of records are gids
    );
    all.push(...parts.values());
    level = [...parts.keys()];
  }
  return all;
};

/**
 * Notes that the graph of a project that is being removed has to go; its secret stays sealed for the same place. A
 * database that cannot be used (FAILED) gets one attempt and no note: it may never become usable.
 */
const noteRemoval = async (tx: Transaction, record: StoredRecord, now: Date): Promise<RemovedGraph> => {
  const removal = removalOf(record);
  const isNoted = record.columns[lookUpProperties.ikgStatus] !== "FAILED";
  if (isNoted) await tx.run(noteText, { note: { ...removal, create_time: now.toISOString() } });
  return { removal, isNoted };
};

export interface RemoveResult {
  /** The record and all that went with it. */
  readonly records: readonly StoredRecord[];
  /** The graph of a removed project, whose data is still there. */
  readonly graph: RemovedGraph | undefined;
}

/**
 * Removes a record with everything that it contains, in one transaction. The graph
 * data of a project is left with a note that it has to go.
 *
 * @param writeTransitions writes the audit records, announcements and change record of it in the same transaction.
 * @throws Problem `not_found`; `role_missing`; as `checkIfMatch`; `conflict` when it is used, or no owner would be left of the
 *   organization.
 */
export const removeRecord = (
  store: Store,
  kind: RecordLabelKind,
  id: string,
  precondition: Precondition,
  caller: CallerContext,
  writeTransitions: TransitionWriter,
): Promise<RemoveResult> =>
  withTimeoutAsUnavailable(() =>
    store.databaseOf(caller).write(async (tx) => {
      if (!isGid(id)) throw new Problem("not_found");
      const root = (await lockRecords(tx, [id], true)).get(id);
      if (root === undefined || root.kind !== kind || root.organizationId !== caller.organizationId)
        throw new Problem("not_found");
      requireReach(caller, root.projectId);
      checkIfMatch(precondition, root);
      await checkNoDependents(tx, root);
      const records = await contents(tx, root);
      const graph = root.kind === "project" ? await noteRemoval(tx, root, store.now()) : undefined;
      if (graph === undefined)
        await removeSystemNodes(
          tx,
          records.flatMap((record) => {
            const node = store.collections.get(record.kind)?.systemNode;
            return node === undefined ? [] : [{ node, record }];
          }),
        );
      await countRemoved(tx, store.usage, records, store.now().getTime());
      await deleteRecords(tx, records);
      if (records.some(givesOwnership)) await requireOwner(tx, root.organizationId);
      await writeTransitions(
        tx,
        records.map((record) => ({ before: record, after: undefined })),
      );
      return { records, graph };
    }, statementOptions(caller)),
  );
