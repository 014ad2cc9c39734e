import { type BodyOf, type Fields, type Gid, newGid, Problem } from "@ikg/contracts";
import type { Transaction } from "@ikg/graph";
import type { Warning } from "@ikg/policy-core/warnings";
import { lookUpProperties, partOf, quoteName, recordLabel, recordLabels } from "@ikg/physical";
import type { Collection, References } from "./collection.ts";
import { attempt } from "./attempt.ts";
import { checkFree, keysOf } from "./uniqueness.ts";
import { contentOf } from "./content.ts";
import { newEtag } from "./etag.ts";
import { examine, found, type TrialPlans, referencesOf } from "./examine.ts";
import { lockRecords } from "./lock.ts";
import { bytesOf, type Data, propertiesOf, type StoredRecord } from "./record.ts";
import type { Asker, Store } from "./store.ts";
import { writeSystemNode } from "./system-node.ts";
import { countUsage, ownerOf } from "./usage.ts";
import { writeUses } from "./uses.ts";

export interface Created {
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

/** What a body is to be a part of, and the records that it names; all of them exist and stay. */
interface Surroundings {
  readonly parent: StoredRecord;
  readonly references: References;
}

const surroundingsOf = async <F extends Fields>(
  tx: Transaction,
  collection: Collection<F>,
  body: BodyOf<F>,
  asker: Asker,
): Promise<Surroundings> => {
  const { kind, field } = collection.parent;
  const parentReference = { field, kind, id: body[field] as Gid }; // parsed as a gid of that kind
  const references = referencesOf(collection, body);
  const ids = [parentReference, ...references].map(({ id }) => id);
  const locked = await lockRecords(tx, ids, references.length > 0);
  return {
    parent: found(locked, parentReference, asker),
    references: new Map(references.map((each) => [each.field, found(locked, each, asker)])),
  };
};

/** One try, in one transaction: parent and references exist and stay, nothing clashes, then the record. */
const createOnce = async <F extends Fields>(
  tx: Transaction,
  store: Store,
  collection: Collection<F>,
  body: BodyOf<F>,
  asker: Asker,
  plans: TrialPlans,
): Promise<Created> => {
  const now = store.now();
  const time = now.toISOString();
  const id = newGid(collection.kind, now.getTime());
  const { parent, references } = await surroundingsOf(tx, collection, body, asker);
  const projectId = collection.kind === "project" ? id : parent.projectId;
  await examine(tx, { collection, body, references, projectId, now }, plans);

  const keys = keysOf(
    collection,
    body,
    collection.scope === "organization" ? parent.organizationId : projectId,
  );
  await checkFree(tx, keys);
  if (collection.maxLive !== undefined) {
    const [row] = await tx.run(liveText, { parent: parent.id, kind: collection.kind, now: time });
    if (Number(row?.["live"]) >= collection.maxLive)
      throw new Problem("conflict", {
        errors: [`${collection.parent.field}: at most ${collection.maxLive} may be live`],
      });
  }

  const content = contentOf(collection, store.keys, id, body);
  const extras = collection.make?.(body, { id, parent, now });
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
    createdBy: asker.accountId,
    updatedBy: asker.accountId,
    data: { ...content.data, ...extras?.data },
    text: content.text,
    columns: { ...content.columns, ...collection.columns?.(body), ...extras?.columns },
  };
  const faults = await collection.reserve?.(tx, record, now);
  if (faults !== undefined && faults.length > 0) throw new Problem("unprocessable", { errors: faults });
  const usage = { kind: record.kind, count: 1, bytes: bytesOf(record) };
  await countUsage(tx, store.usage, ownerOf(record), [usage], now.getTime());
  const properties = { ...propertiesOf(record), ...keys.properties };
  await tx.run(createText(collection), { parent: parent.id, properties });
  await writeUses(tx, id, references);
  if (collection.systemNode !== undefined) await writeSystemNode(tx, collection.systemNode, record);
  return { record, once: extras?.once ?? {}, warnings: collection.warnings?.(body, references, parent) };
};

/**
 * Creates one record.
 *
 * @throws Problem `not_found` for a parent or reference that does not exist or belongs to another organization,
 *   `unprocessable` for what its collection judges, `conflict` for a name or key in use or too many live ones.
 */
export const createRecord = <F extends Fields>(
  store: Store,
  collection: Collection<F>,
  body: BodyOf<F>,
  asker: Asker,
): Promise<Created> =>
  attempt(store, collection, asker, (tx, plans) => createOnce(tx, store, collection, body, asker, plans));

/**
 * Says of a create body what creating it would say, and stores nothing.
 *
 * @throws Problem as `createRecord`, but for names and keys in use.
 */
export const validateRecord = <F extends Fields>(
  store: Store,
  collection: Collection<F>,
  body: BodyOf<F>,
  asker: Asker,
): Promise<readonly Warning[]> =>
  attempt(store, collection, asker, async (tx, plans) => {
    const { parent, references } = await surroundingsOf(tx, collection, body, asker);
    const { projectId } = parent;
    await examine(tx, { collection, body, references, projectId, now: store.now() }, plans);
    return collection.warnings?.(body, references, parent) ?? [];
  });
