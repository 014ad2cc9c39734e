import { randomBytes } from "node:crypto";
import { type Gid, newGid, Problem } from "@ikg/contracts";
import { DataFault, isConstraintViolation, StatementTimeout, type Transaction } from "@ikg/graph";
import { lookUpProperties, nameKey, partOf, quoteName, recordLabel, recordLabels, uses } from "@ikg/physical";
import type { Collection, CreateBody, Reference, Trial } from "../collections/collection.ts";
import { lockRecords } from "./lock.ts";
import { type Fields, propertiesOf, type StoredRecord } from "./record.ts";
import { type Asker, settled, statementOptions, type Store } from "./store.ts";
import { writeSystemNode } from "./system-node.ts";

export interface Created {
  readonly record: StoredRecord;
  /** Members of the answer that are never shown again. */
  readonly once: Fields;
}

/** A new entity tag: opaque, never used before (api specification 8.4). */
const newEtag = (): string => randomBytes(12).toString("base64url");

/** The record that a body names, if the asker's organization has it. */
const found = (
  records: ReadonlyMap<Gid, StoredRecord>,
  { field, kind, id }: Reference,
  asker: Asker,
): StoredRecord => {
  const record = records.get(id);
  if (record === undefined || record.kind !== kind || record.organizationId !== asker.organizationId)
    throw new Problem("not_found", { errors: [`${field}: not found`] });
  return record;
};

const conflictText = [
  `OPTIONAL MATCH (n:${recordLabel} {name_key: $nameKey})`,
  `OPTIONAL MATCH (u:${recordLabel} {unique_key: $uniqueKey})`,
  "RETURN n IS NOT NULL AS name, u IS NOT NULL AS once",
].join(" ");

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
    `WITH r UNWIND $uses AS used MATCH (u:${recordLabel} {id: used}) CREATE (r)-[:${uses}]->(u)`,
  ].join(" ");

/** What is being planned right now; planning does not heed the limit of a transaction, so the limit may strike there. */
interface Planning {
  fault: string | undefined;
}

/** Lets the database plan a statement; it may refuse what the checks of the language cannot see. */
const tryOut = async (tx: Transaction, { text, fault }: Trial, planning: Planning): Promise<void> => {
  planning.fault = fault;
  try {
    await tx.run(`EXPLAIN ${text}`, {});
  } catch (error) {
    if (!(error instanceof DataFault)) throw error;
    throw new Problem("unprocessable", { errors: [fault], cause: error });
  }
  planning.fault = undefined;
};

/** One try, in one transaction: parent and references exist and stay, nothing clashes, then the record. */
const createOnce = async <B extends CreateBody>(
  tx: Transaction,
  store: Store,
  collection: Collection<B>,
  body: B,
  asker: Asker,
  planning: Planning,
): Promise<Created> => {
  const now = store.now();
  const time = now.toISOString();
  const id = newGid(collection.kind, now.getTime());
  const parentReference = {
    field: collection.parent.field,
    kind: collection.parent.kind,
    id: collection.parent.of(body),
  };
  const references = collection.references?.(body) ?? [];

  const locked = await lockRecords(
    tx,
    [parentReference, ...references].map((each) => each.id),
    references.length > 0,
  );
  const parent = found(locked, parentReference, asker);
  const used = new Map(references.map((each) => [each.field, found(locked, each, asker)]));
  const faults = collection.judge?.(body, used, now) ?? [];
  if (faults.length > 0) throw new Problem("unprocessable", { errors: faults });
  for (const trial of collection.trials?.(body, used) ?? []) await tryOut(tx, trial, planning);

  const scopeId = collection.scope === "organization" ? parent.organizationId : parent.projectId;
  if (scopeId === undefined) throw new Error("a project's record in a parent without a project");
  const once = collection.once?.(body, scopeId);
  const key = body.name === undefined ? null : nameKey(collection.kind, scopeId, body.name);
  const [clash] = await tx.run(conflictText, { nameKey: key, uniqueKey: once?.key ?? null });
  if (clash?.["name"] === true) throw new Problem("conflict", { errors: ["name: already in use"] });
  if (once !== undefined && clash?.["once"] === true) throw new Problem("conflict", { errors: [once.fault] });
  if (collection.maxLive !== undefined) {
    const [row] = await tx.run(liveText, { parent: parent.id, kind: collection.kind, now: time });
    if (Number(row?.["live"]) >= collection.maxLive)
      throw new Problem("conflict", {
        errors: [`${collection.parent.field}: at most ${collection.maxLive} may be live`],
      });
  }

  const content = collection.content(body, { id, parent, now });
  const record: StoredRecord = {
    id,
    kind: collection.kind,
    organizationId: parent.organizationId,
    projectId: collection.kind === "project" ? id : parent.projectId,
    parentId: parent.id,
    name: body.name,
    displayName: body.display_name,
    description: body.description,
    version: 1,
    etag: newEtag(),
    createTime: time,
    updateTime: time,
    createdBy: asker.accountId,
    updatedBy: asker.accountId,
    data: content.data,
    text: content.text,
    columns: content.columns ?? {},
  };
  const properties = {
    ...propertiesOf(record),
    ...(key === null ? {} : { [lookUpProperties.nameKey]: key }),
    ...(once === undefined ? {} : { [lookUpProperties.uniqueKey]: once.key }),
  };
  await tx.run(createText(collection), {
    parent: parent.id,
    properties,
    uses: references.map((each) => each.id),
  });
  if (collection.systemNode !== undefined) await writeSystemNode(tx, collection.systemNode, record);
  return { record, once: content.once ?? {} };
};

/**
 * Creates one record.
 *
 * @throws Problem `not_found` for a parent or reference that does not exist or belongs to another organization,
 *   `unprocessable` for what its collection judges, `conflict` for a name or key in use or too many live ones.
 */
export const createRecord = <B extends CreateBody>(
  store: Store,
  collection: Collection<B>,
  body: B,
  asker: Asker,
): Promise<Created> => {
  const planning: Planning = { fault: undefined };
  const attempt = (): Promise<Created> =>
    store.database.write(
      (tx) => createOnce(tx, store, collection, body, asker, planning),
      statementOptions(asker),
    );
  return settled(async () => {
    try {
      return await attempt();
    } catch (error) {
      // A text that is planned for so long would hold up every process that meets it first.
      if (error instanceof StatementTimeout && planning.fault !== undefined) {
        throw new Problem("unprocessable", { errors: [`${planning.fault} in time`], cause: error });
      }
      if (!isConstraintViolation(error)) throw error;
      // Another transaction took the key after we looked. It has committed, so a second look says which key.
      return attempt().catch((again: unknown) => {
        throw isConstraintViolation(again) ? new Problem("conflict", { cause: again }) : again;
      });
    }
  });
};
