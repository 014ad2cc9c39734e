import { type Gid, Problem } from "@ikg/contracts";
import type { Transaction } from "@ikg/graph";
import { nameKey, recordLabel } from "@ikg/physical";
import { kindOf } from "../history/kinds.ts";
import { lockRecords } from "../records/lock.ts";
import type { StoredRecord } from "../records/record.ts";
import { type CallerContext, requireReach } from "../records/store.ts";
import type { PlannedSet } from "./planned-change.ts";

/** The current records that a set of changes refers to, locked until the transaction ends. */
export interface CurrentRecords {
  readonly project: StoredRecord;
  /** A policy or query by its collection's kind and its name. */
  named(kind: "authorization_policy" | "knowledge_query", name: string): StoredRecord | undefined;
  /** A policy that a query names by its id. */
  policy(id: Gid): StoredRecord | undefined;
}

const idsText = `UNWIND $keys AS key MATCH (r:${recordLabel} {name_key: key}) RETURN key, r.id AS id`;

const idsOf = async (tx: Transaction, keys: readonly string[]): Promise<ReadonlyMap<string, Gid>> =>
  new Map((await tx.run(idsText, { keys: [...keys] })).map((row) => [String(row["key"]), row["id"] as Gid]));

const keysIn = ({ projectId, changes }: PlannedSet): readonly string[] =>
  changes.flatMap(({ change }) => {
    const own = nameKey(kindOf[change.collection], projectId, change.name);
    if (change.op === "delete" || change.collection !== "knowledge-queries") return [own];
    const { policy } = change.record;
    return policy === undefined ? [own] : [own, nameKey("authorization_policy", projectId, policy)];
  });

const policyIdsIn = ({ changes }: PlannedSet): readonly Gid[] =>
  changes.flatMap(({ change }) =>
    change.op === "put" && change.collection === "knowledge-queries" && change.record.policy_id !== undefined
      ? [change.record.policy_id]
      : [],
  );

/**
 * Locks the project and every record that a set names, in the order of their ids, as single changes do. With the project locked
 * no record is created in it, so a free name stays free.
 *
 * @throws Problem `not_found` when the caller's organization has no such project.
 */
export const lockCurrent = async (
  tx: Transaction,
  set: PlannedSet,
  caller: CallerContext,
): Promise<CurrentRecords> => {
  const keys = [...new Set(keysIn(set))];
  const before = await idsOf(tx, keys);
  const records = new Map(
    await lockRecords(tx, [set.projectId, ...before.values(), ...policyIdsIn(set)], true),
  );
  const project = records.get(set.projectId);
  if (project === undefined || project.kind !== "project" || project.organizationId !== caller.organizationId)
    throw new Problem("not_found", { errors: ["project_id: not found"] });
  requireReach(caller, project.id);
  const ids = await idsOf(tx, keys);
  // Made between the look and the lock; a deadlock is possible here alone, and is tried again.
  const late = [...ids.values()].filter((id) => !records.has(id));
  if (late.length > 0) for (const [id, record] of await lockRecords(tx, late, true)) records.set(id, record);
  return {
    project,
    named: (kind, name) => {
      const id = ids.get(nameKey(kind, set.projectId, name));
      return id === undefined ? undefined : records.get(id);
    },
    policy: (id) => {
      const record = records.get(id);
      const isOwn = record?.kind === "authorization_policy" && record.projectId === set.projectId;
      return isOwn ? record : undefined;
    },
  };
};
