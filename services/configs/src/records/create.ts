import { type BodyOf, type Fields, type Gid, newGid, Problem } from "@ikg/contracts";
import type { Transaction } from "@ikg/graph";
import type { GraphSchema, UnreadSchema, Warning } from "@ikg/policy-core/warnings";
import { readGraphSchema } from "./graph-schema.ts";
import { boundTo, lookUpProperties, partOf, quoteName, recordLabel, recordLabels } from "@ikg/physical";
import type { Collection, References } from "./collection.ts";
import { attempt } from "./attempt.ts";
import { checkFree, type Keys, keysOf } from "./uniqueness.ts";
import { contentOf } from "./content.ts";
import { newEtag } from "./etag.ts";
import { validateBody } from "./validate-body.ts";
import type { TrialPlans } from "./plan-statement.ts";
import { referencesOf, resolveReference } from "./references.ts";
import { lockRecords } from "./lock.ts";
import type { PreparedWrite } from "./prepared-write.ts";
import { bytesOf, type Data, propertiesOf, type StoredRecord } from "./record.ts";
import { type CallerContext, requireReach, requireGrantorRole, type Store } from "./store.ts";
import { writeSystemNode } from "./system-node.ts";
import type { TransitionWriter } from "./transition.ts";
import { countUsage, ownerOf } from "./usage.ts";
import { writeUses } from "./uses.ts";

export interface CreateResult {
  readonly record: StoredRecord;
  /** Members of the answer that are never shown again. */
  readonly once: Data;
  readonly warnings: readonly Warning[] | undefined;
}

const liveText = [
  `MATCH (:${recordLabel} {id: $parent})<-[:${partOf}]-(r:${recordLabel})`,
  `WHERE r.kind = $kind AND (r.${lookUpProperties.expireTime} IS NULL OR r.${lookUpProperties.expireTime} > $now)`,
  "RETURN count(r) AS live",
].join(" ");

const createText = (collection: Collection): string =>
  [
    `MATCH (p:${recordLabel} {id: $parent})`,
    `CREATE (r:${recordLabel}:${quoteName(recordLabels[collection.kind])})-[:${partOf}]->(p)`,
    "SET r = $properties",
  ].join(" ");

const bindText = [
  `MATCH (r:${recordLabel} {id: $id})`,
  `UNWIND $holders AS holder MATCH (h:${recordLabel} {id: holder}) CREATE (r)-[:${boundTo}]->(h)`,
].join(" ");

/** The parent of a new record and the records that its body names, all locked so that they cannot be deleted. */
export interface ParentContext {
  readonly parent: StoredRecord;
  readonly references: References;
  /** Records besides the parent that the new record is bound to and removed with. */
  readonly holders: readonly StoredRecord[];
  /** Names in the project's graph, where the collection warns of others and they are known. */
  readonly schema: GraphSchema | UnreadSchema | undefined;
}

/** The project of a new record: its parent's, or one that it goes with. */
const projectOf = (parent: StoredRecord, holders: readonly StoredRecord[]): Gid | undefined =>
  parent.projectId ?? holders.find(({ kind }) => kind === "project")?.id;

const parentContextOf = async <F extends Fields>(
  tx: Transaction,
  store: Store,
  collection: Collection<F>,
  body: BodyOf<F>,
  caller: CallerContext,
): Promise<ParentContext> => {
  const { kind, field } = collection.parent;
  // Parsed as a gid of that kind; only an organization may be left out.
  const parentReference = { field, kind, id: (body[field] ?? caller.organizationId) as Gid };
  const references = referencesOf(collection, body);
  const holderReferences = collection.holders?.(body) ?? [];
  const ids = [parentReference, ...references, ...holderReferences].map(({ id }) => id);
  const locked = await lockRecords(tx, ids, references.length > 0);
  const parent = resolveReference(locked, parentReference, caller);
  const holders = holderReferences.map((each) => resolveReference(locked, each, caller));
  const projectId = projectOf(parent, holders);
  requireReach(caller, projectId);
  requireGrantorRole(caller, collection.permissionsToGrant?.(body, parent, undefined) ?? [], projectId);
  return {
    parent,
    holders,
    schema: collection.warnings === undefined ? undefined : await readGraphSchema(tx, parent, store, caller),
    references: new Map(references.map((each) => [each.field, resolveReference(locked, each, caller)])),
  };
};

/** @throws Problem `conflict` when the parent has as many live records as it may. */
const checkLive = async (
  tx: Transaction,
  { kind, maxLive, parent: { field } }: Collection,
  parent: StoredRecord,
  now: Date,
): Promise<void> => {
  if (maxLive === undefined) return;
  const [row] = await tx.run(liveText, { parent: parent.id, kind, now: now.toISOString() });
  if (Number(row?.["live"]) >= maxLive)
    throw new Problem("conflict", { errors: [`${field}: at most ${maxLive} may be live`] });
};

/** A new record, and the keys that must be unique to it. */
const newRecord = <F extends Fields>(
  store: Store,
  collection: Collection<F>,
  body: BodyOf<F>,
  { parent, holders }: Pick<ParentContext, "parent" | "holders">,
  caller: CallerContext,
  now: Date,
): { readonly record: StoredRecord; readonly once: Data; readonly keys: Keys } => {
  const time = now.toISOString();
  const id = newGid(collection.kind, now.getTime());
  const projectId = collection.kind === "project" ? id : projectOf(parent, holders);
  const scopeId = collection.scope === "organization" ? parent.organizationId : projectId;
  const content = contentOf(collection, store.keys, id, body);
  const extras = collection.extrasOnCreate?.(body, { id, parent, now });
  const record: StoredRecord = {
    id,
    kind: collection.kind,
    organizationId: parent.organizationId,
    projectId,
    parentId: parent.id,
    name: body["name"] as string | undefined, // fields that every collection describes alike
    displayName: body["display_name"] as string | undefined,
    description: body["description"] as string | undefined,
    version: 1,
    etag: newEtag(),
    createTime: time,
    updateTime: time,
    createdBy: caller.accountId,
    updatedBy: caller.accountId,
    data: { ...content.data, ...extras?.data },
    text: content.text,
    columns: { ...content.columns, ...collection.columnsOf?.(body), ...extras?.columns },
  };
  return { record, once: extras?.once ?? {}, keys: keysOf(collection, body, scopeId) };
};

/** Prepares a record of a validated body, in a locked parent. */
export const prepareCreate = <F extends Fields>(
  store: Store,
  collection: Collection<F>,
  body: BodyOf<F>,
  { parent, references, holders, schema }: ParentContext,
  caller: CallerContext,
  now: Date,
): PreparedWrite<CreateResult> & { readonly keys: Keys } => {
  const { record, once, keys } = newRecord(store, collection, body, { parent, holders }, caller, now);
  return {
    keys,
    result: { record, once, warnings: collection.warnings?.(body, references, parent, schema) },
    usage: { kind: record.kind, count: 1, bytes: bytesOf(record) },
    write: async (tx) => {
      const properties = { ...propertiesOf(record), ...keys.properties };
      await tx.run(createText(collection), { parent: parent.id, properties });
      if (holders.length > 0)
        await tx.run(bindText, { id: record.id, holders: holders.map((each) => each.id) });
      await writeUses(tx, record.id, references);
      if (collection.systemNode !== undefined) await writeSystemNode(tx, collection.systemNode, record);
    },
  };
};

/** One attempt, in one transaction: locks parent and references, checks that nothing clashes, then writes the record. */
const createOnce = async <F extends Fields>(
  tx: Transaction,
  store: Store,
  collection: Collection<F>,
  body: BodyOf<F>,
  caller: CallerContext,
  plans: TrialPlans,
): Promise<CreateResult> => {
  const now = store.now();
  const context = await parentContextOf(tx, store, collection, body, caller);
  const { parent, references } = context;
  await validateBody(tx, { collection, body, references, projectId: parent.projectId, now }, plans);
  const { result, usage, keys, write } = prepareCreate(store, collection, body, context, caller, now);
  const { record } = result;
  await checkFree(tx, keys);
  await checkLive(tx, collection, parent, now);
  const faults = await collection.reserve?.(tx, record, now);
  if (faults !== undefined && faults.length > 0) throw new Problem("unprocessable", { errors: faults });
  await countUsage(tx, store.usage, ownerOf(record), [usage], now.getTime());
  await write(tx);
  return result;
};

/**
 * Creates one record.
 *
 * @param writeTransitions writes the audit records, announcements and change record of it in the same transaction.
 * @throws Problem `not_found` for a parent or reference that does not exist or belongs to another organization,
 *   `unprocessable` for a body that is not valid, `conflict` for a name or key in use or too many live ones.
 */
export const createRecord = <F extends Fields>(
  store: Store,
  collection: Collection<F>,
  body: BodyOf<F>,
  caller: CallerContext,
  writeTransitions: TransitionWriter,
): Promise<CreateResult> =>
  attempt(store, collection, caller, async (tx, plans) => {
    const created = await createOnce(tx, store, collection, body, caller, plans);
    await writeTransitions(tx, [{ before: undefined, after: created.record }]);
    return created;
  });

/**
 * Validates a create body as `createRecord` does, and stores nothing.
 *
 * @throws Problem as `createRecord`, but for names and keys in use.
 */
export const validateRecord = <F extends Fields>(
  store: Store,
  collection: Collection<F>,
  body: BodyOf<F>,
  caller: CallerContext,
): Promise<readonly Warning[]> =>
  attempt(store, collection, caller, async (tx, plans) => {
    const { parent, references, schema } = await parentContextOf(tx, store, collection, body, caller);
    const { projectId } = parent;
    await validateBody(tx, { collection, body, references, projectId, now: store.now() }, plans);
    return collection.warnings?.(body, references, parent, schema) ?? [];
  });
