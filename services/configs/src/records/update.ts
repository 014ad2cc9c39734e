import { isDeepStrictEqual } from "node:util";
import { type BodyOf, type UpdateOf, faultsOf, type Fields, type Gid, isGid, Problem } from "@ikg/contracts";
import type { Transaction } from "@ikg/graph";
import type { GraphSchema, UnreadSchema, Warning } from "@ikg/policy-core/warnings";
import { readGraphSchema } from "./graph-schema.ts";
import { recordLabel, type RecordLabelKind, versionKey, versionLabel, versionOf } from "@ikg/physical";
import type { z } from "zod";
import type { Collection, Reference, References } from "./collection.ts";
import { attempt } from "./attempt.ts";
import { checkFree, type Keys, keysOf } from "./uniqueness.ts";
import { bodyOf, contentOf, formerData, merge } from "./content.ts";
import { dependentsOf } from "./dependents.ts";
import { newEtag } from "./etag.ts";
import { validateBody } from "./validate-body.ts";
import type { TrialPlans } from "./plan-statement.ts";
import { referencesOf, resolveReference } from "./references.ts";
import { checkIfMatch, type Precondition } from "./if-match.ts";
import { lockRecords, readRecords } from "./lock.ts";
import { readRecord } from "./read.ts";
import type { PreparedWrite } from "./prepared-write.ts";
import { bytesOf, changesOf, type Data, propertiesOf, type StoredRecord } from "./record.ts";
import { type CallerContext, requireReach, requireGrantorRole, type Store } from "./store.ts";
import { renameSystemNode } from "./system-node.ts";
import type { TransitionWriter } from "./transition.ts";
import { countUsage, ownerOf } from "./usage.ts";
import { writeUses } from "./uses.ts";

export interface UpdateResult {
  readonly former: StoredRecord;
  readonly record: StoredRecord;
  readonly warnings: readonly Warning[] | undefined;
}

// The condition stands in the statement that writes: whatever was looked at before, only this state is replaced.
const updateText = [
  `MATCH (r:${recordLabel} {id: $id}) WHERE r.etag = $etag`,
  `CREATE (v:${versionLabel})-[:${versionOf}]->(r) SET v = $former`,
  "SET r += $properties RETURN r.id AS id",
].join(" ");

const expireText = `MATCH (v:${versionLabel} {version_key: $key}) DETACH DELETE v`;

/** Faults of a body that changes immutable fields. */
const fixedFaults = <F extends Fields>(
  { fields }: Collection<F>,
  current: BodyOf<F>,
  change: UpdateOf<F>,
): readonly string[] =>
  Object.entries(fields).flatMap(([name, { update }]) => {
    const value = change[name];
    if (update !== "fixed" || value === undefined || value === null) return [];
    return isDeepStrictEqual(value, current[name]) ? [] : [`${name}: cannot be changed`];
  });

/**
 * Reads the body of an update. Immutable fields are checked together with the form of the others, so that all faults
 * of a body are reported at once.
 *
 * @throws Problem `unprocessable`.
 */
export const changeIn = async <F extends Fields>(
  store: Store,
  collection: Collection<F>,
  schema: z.ZodType<UpdateOf<F>>,
  id: string,
  body: UpdateOf<F>,
  caller: CallerContext,
): Promise<UpdateOf<F>> => {
  const result = schema.safeParse(body, { reportInput: true });
  if (result.success) return result.data;
  const record = await readRecord(store, collection.kind, id, caller).catch((error: unknown) => {
    if (error instanceof Problem && error.code === "not_found") return undefined;
    throw error;
  });
  const fixed =
    record === undefined ? [] : fixedFaults(collection, bodyOf(collection, store.keys, record), body);
  throw new Problem("unprocessable", { errors: [...faultsOf(result.error), ...fixed] });
};

/** Faults of a body that apply only while other records depend on this one. */
const dependentFaults = async <F extends Fields>(
  tx: Transaction,
  collection: Collection<F>,
  body: BodyOf<F>,
  record: StoredRecord,
): Promise<readonly string[]> => {
  const faults = collection.faultsWhileReferenced?.(body) ?? [];
  return faults.length > 0 && (await dependentsOf(tx, [record.id])).size > 0 ? faults : [];
};

/** A validated body, the records that it names, and properties that follow from the update and not from the body alone. */
export interface Replacement<F extends Fields> {
  readonly record: StoredRecord;
  readonly body: BodyOf<F>;
  /** Empty where the update names none: those of before stay. */
  readonly references: References;
  /** The record that contains this one; without it there are no warnings about it. */
  readonly parent: StoredRecord | undefined;
  /** Names in the project's graph, where they are known. */
  readonly schema: GraphSchema | UnreadSchema | undefined;
  readonly columns: Data;
  readonly now: Date;
}

/** The record with its next version, of a validated body. */
const nextVersion = <F extends Fields>(
  store: Store,
  collection: Collection<F>,
  { record, body, columns, now }: Replacement<F>,
  caller: CallerContext,
): StoredRecord => {
  const content = contentOf(collection, store.keys, record.id, body);
  const kept = Object.entries(record.data).filter(([name]) => !(name in collection.fields));
  return {
    ...record,
    displayName: body["display_name"] as string | undefined, // fields that every collection describes alike
    description: body["description"] as string | undefined,
    version: record.version + 1,
    etag: newEtag(),
    updateTime: now.toISOString(),
    updatedBy: caller.accountId,
    data: { ...Object.fromEntries(kept), ...content.data },
    text: content.text,
    columns: { ...record.columns, ...content.columns, ...collection.columnsOf?.(body), ...columns },
  };
};

const keysAfter = <F extends Fields>(
  collection: Collection<F>,
  { organizationId, projectId }: StoredRecord,
  body: BodyOf<F>,
): Keys => keysOf(collection, body, collection.scope === "organization" ? organizationId : projectId);

/** Prepares the next version of a locked record, of a validated body. */
export const prepareUpdate = <F extends Fields>(
  store: Store,
  collection: Collection<F>,
  replacement: Replacement<F>,
  caller: CallerContext,
): PreparedWrite<UpdateResult> => {
  const { record, body, references, parent, schema } = replacement;
  const { id } = record;
  const updated = nextVersion(store, collection, replacement, caller);
  const warnings = parent === undefined ? undefined : collection.warnings?.(body, references, parent, schema);
  return {
    result: { former: record, record: updated, warnings },
    usage: { kind: record.kind, count: 0, bytes: bytesOf(updated) - (record.bytes ?? bytesOf(record)) },
    write: async (tx) => {
      const former = { ...record, data: formerData(collection, store.keys, record) };
      const { properties } = keysAfter(collection, record, body);
      const rows = await tx.run(updateText, {
        id,
        etag: record.etag,
        former: { ...propertiesOf(former), version_key: versionKey(id, record.version) },
        properties: { ...changesOf(updated), ...properties },
      });
      if (rows.length === 0) throw new Error("a locked record was changed");
      const expired = record.version - store.keptVersions;
      if (expired > 0) await tx.run(expireText, { key: versionKey(id, expired) });
      if (references.size > 0) await writeUses(tx, id, references, true);
      if (collection.systemNode !== undefined && updated.displayName !== record.displayName)
        await renameSystemNode(tx, collection.systemNode, updated);
    },
  };
};

/** @throws Problem `not_found`; as `checkIfMatch`. */
const lockToUpdate = async (
  tx: Transaction,
  kind: RecordLabelKind,
  id: Gid,
  named: readonly Reference[],
  precondition: Precondition,
  caller: CallerContext,
): Promise<{ readonly record: StoredRecord; readonly references: References }> => {
  const locked = await lockRecords(tx, [id, ...named.map((each) => each.id)], true);
  const record = locked.get(id);
  if (record === undefined || record.kind !== kind || record.organizationId !== caller.organizationId)
    throw new Problem("not_found");
  requireReach(caller, record.projectId);
  checkIfMatch(precondition, record);
  return {
    record,
    references: new Map(named.map((each) => [each.field, resolveReference(locked, each, caller)])),
  };
};

/** What contains a record, where its collection needs it to warn. */
const parentToWarn = async (
  tx: Transaction,
  collection: Collection,
  { id, parentId = id }: StoredRecord,
): Promise<StoredRecord | undefined> =>
  collection.warnings === undefined ? undefined : (await readRecords(tx, [parentId])).get(parentId);

const updateOnce = async <F extends Fields>(
  tx: Transaction,
  store: Store,
  collection: Collection<F>,
  id: Gid,
  change: UpdateOf<F>,
  precondition: Precondition,
  caller: CallerContext,
  plans: TrialPlans,
): Promise<UpdateResult> => {
  const named = referencesOf(collection, change);
  const { record, references } = await lockToUpdate(tx, collection.kind, id, named, precondition, caller);
  const current = bodyOf(collection, store.keys, record);
  const { body: merged, suppliedFields } = merge(collection, current, change);
  const body = collection.adjustUpdate?.(merged, current, suppliedFields) ?? merged;
  const now = store.now();
  const { projectId } = record;
  requireGrantorRole(caller, collection.permissionsToGrant?.(body, undefined, current) ?? [], projectId);
  const faults = [
    ...fixedFaults(collection, current, change),
    ...(await dependentFaults(tx, collection, body, record)),
  ];
  await validateBody(tx, { collection, body, current, references, projectId, now }, plans, faults);
  const context = { record, body, current, suppliedFields, now };
  const columns = (await collection.columnsOnUpdate?.(tx, context)) ?? {};
  await checkFree(tx, keysAfter(collection, record, body), id);
  const parent = await parentToWarn(tx, collection, record);
  const schema = parent === undefined ? undefined : await readGraphSchema(tx, parent, store, caller);
  const { result, usage, write } = prepareUpdate(
    store,
    collection,
    { record, body, references, parent, schema, columns, now },
    caller,
  );
  if (usage.bytes !== 0) await countUsage(tx, store.usage, ownerOf(record), [usage], now.getTime());
  await write(tx);
  return result;
};

/**
 * Replaces a record's state; the former one stays readable by its version.
 *
 * @param writeTransitions writes the audit records, announcements and change record of it in the same transaction.
 * @throws Problem `not_found`; as `checkIfMatch`; `unprocessable` for a body that is not valid; `conflict` for a
 *   key in use.
 */
export const updateRecord = async <F extends Fields>(
  store: Store,
  collection: Collection<F>,
  id: string,
  change: UpdateOf<F>,
  precondition: Precondition,
  caller: CallerContext,
  writeTransitions: TransitionWriter,
): Promise<UpdateResult> => {
  if (!isGid(id)) throw new Problem("not_found");
  return attempt(store, collection, caller, async (tx, plans) => {
    const updated = await updateOnce(tx, store, collection, id, change, precondition, caller, plans);
    await writeTransitions(tx, [{ before: updated.former, after: updated.record }]);
    return updated;
  });
};
