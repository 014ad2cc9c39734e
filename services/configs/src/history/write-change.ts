import { compressContent } from "@ikg/catalog";
import { effectiveLimits, type Gid, type LimitBounds, newGid, storedLimits } from "@ikg/contracts";
import type { Transaction } from "@ikg/graph";
import { changeEntryLabel, changeKey, changeLabel, entryOf, recordLabel, projectPrefix } from "@ikg/physical";
import type { StoredRecord } from "../records/record.ts";
import type { Store } from "../records/store.ts";
import { recordIn, type Transition } from "../records/transition.ts";
import { type NameOf, putContent } from "./put-content.ts";
import { changeableOf } from "./kinds.ts";

/** Who changed what, and why. */
export interface ChangeHeader {
  readonly projectId: Gid;
  readonly organizationId: Gid;
  readonly accountId: string;
  readonly message?: string | undefined;
  readonly reverts?: Gid | undefined;
}

/** What a change record needs besides its texts, in bytes. */
const overhead = 300;
/** Older change records that one write removes at most where there are too many. */
const evicted = 3;

const newestText = [
  `MATCH (p:${recordLabel} {id: $project})`,
  `CALL (p) { OPTIONAL MATCH (c:${changeLabel}) WHERE c.key STARTS WITH $prefix`,
  "RETURN c.total AS total ORDER BY c.key DESC LIMIT 1 }",
  "RETURN p.data AS data, total",
].join(" ");
const createText = [
  `CREATE (c:${changeLabel}) SET c = $change WITH c UNWIND $entries AS entry`,
  `CREATE (e:${changeEntryLabel})-[:${entryOf}]->(c) SET e = entry`,
].join(" ");
const evictText = [
  `MATCH (c:${changeLabel}) WHERE c.key STARTS WITH $prefix`,
  `WITH c ORDER BY c.key LIMIT ${evicted} WITH c WHERE c.total <= $upTo`,
  `OPTIONAL MATCH (e:${changeEntryLabel})-[:${entryOf}]->(c) DETACH DELETE e, c`,
].join(" ");
const namesText = `UNWIND $ids AS id MATCH (r:${recordLabel} {id: id}) RETURN r.id AS id, r.name AS name`;

/** Names of the policies of queries, as they are after the transitions or were before. */
const policyNames = async (tx: Transaction, transitions: readonly Transition[]): Promise<NameOf> => {
  const states = transitions.flatMap(({ before, after }) =>
    [before, after].filter((each) => each !== undefined),
  );
  const names = new Map(states.map(({ id, name = "" }) => [id, name]));
  const queries = states.filter(({ kind }) => kind === "knowledge_query");
  const ids = queries.map(({ data }) => data["policy_id"] as Gid).filter((id) => !names.has(id));
  if (ids.length > 0)
    for (const row of await tx.run(namesText, { ids: [...new Set(ids)] }))
      names.set(row["id"] as Gid, String(row["name"]));
  return (id) => names.get(id);
};

const limitOf = (data: unknown, limits: LimitBounds): number => {
  const { limits: stored } = JSON.parse(String(data)) as { limits?: unknown }; // written by this service
  return effectiveLimits(storedLimits(stored), limits).change_bytes;
};

const entryFor = async (store: Store, transition: Transition, nameOf: NameOf, index: number) => {
  const { before, after } = transition;
  const { id, kind, name = "" } = recordIn(transition);
  const collection = store.collections.get(kind);
  if (collection === undefined) throw new Error(`no collection of ${kind}`);
  const state = (record: StoredRecord) => putContent(collection, store.keys, record, nameOf).content;
  const { data, bytes } = await compressContent({
    ...(before === undefined ? {} : { before: state(before) }),
    ...(after === undefined ? {} : { after: state(after) }),
  });
  return {
    index,
    collection: changeableOf(kind) ?? "",
    record_id: id,
    name,
    op: after === undefined ? "delete" : "put",
    from_version: before?.version ?? 0,
    to_version: after?.version ?? 0,
    content: data,
    bytes,
  };
};

/**
 * Stores a change record with its texts, in the transaction of the change. Every record knows the bytes of all that the
 * project has written up to it, so that what is too much can be seen of the newest and the oldest one.
 */
export const writeChange = async (
  tx: Transaction,
  store: Store,
  header: ChangeHeader,
  transitions: readonly Transition[],
): Promise<{ readonly id: Gid; readonly time: string }> => {
  const now = store.now();
  const id = newGid("change", now.getTime());
  const { projectId, organizationId, accountId, message, reverts } = header;
  const prefix = projectPrefix(projectId);
  const nameOf = await policyNames(tx, transitions);
  const [[newest], entries] = await Promise.all([
    tx.run(newestText, { project: projectId, prefix }),
    Promise.all(transitions.map((transition, index) => entryFor(store, transition, nameOf, index))),
  ]);
  const bytes = entries.reduce((sum, entry) => sum + entry.bytes, overhead);
  const total = Number(newest?.["total"] ?? 0) + bytes;
  const change = {
    id,
    key: changeKey(projectId, orderOf(id)),
    project_id: projectId,
    organization_id: organizationId,
    create_time: now.toISOString(),
    created_by: accountId,
    bytes,
    total,
    count: entries.length,
    ...(message === undefined ? {} : { message }),
    ...(reverts === undefined ? {} : { reverts }),
  };
  const upTo = total - limitOf(newest?.["data"], store.usage.projects);
  await Promise.all([
    tx.run(createText, { change, entries }),
    ...(upTo > 0 ? [tx.run(evictText, { prefix, upTo })] : []),
  ]);
  return { id, time: change.create_time };
};

/** Sorts as the ids were made: the time comes first in them, and base64url sorts otherwise. */
export const orderOf = (id: Gid): string => Buffer.from(id.slice(4), "base64url").toString("hex");
