/** Records of the bootstrap, which are made once. */
import type { Gid } from "@ikg/contracts";
import type { Transaction } from "@ikg/graph";
import {
  lookUpProperties as column,
  partOf,
  recordLabel,
  type RecordLabelKind,
  recordLabels,
} from "@ikg/physical";
import { newEtag } from "../records/etag.ts";
import { byteSizeOf } from "../records/record.ts";

/** Makes a record unless there is one with its key, and locks it for the rest of the transaction. */
export const ensureRecord = async (
  tx: Transaction,
  kind: RecordLabelKind,
  uniqueKey: string,
  fields: Readonly<Record<string, unknown>>,
): Promise<Gid> => {
  const [row] = await tx.run(
    `MERGE (r:${recordLabel} {${column.uniqueKey}: $uniqueKey}) ` +
      `ON CREATE SET r:${recordLabels[kind]}, r += $fields SET r.kind = $kind RETURN r.id AS id`,
    { uniqueKey, kind, fields },
  );
  return row?.["id"] as Gid; // MERGE always gives a row, and records have gids
};

export const linkRecord = (tx: Transaction, part: Gid, whole: Gid): Promise<unknown> =>
  tx.run(
    `MATCH (p:${recordLabel} {id: $part}) MATCH (w:${recordLabel} {id: $whole}) MERGE (p)-[:${partOf}]->(w)`,
    { part, whole },
  );

/** The fields that every record has when it is made. @param content in the form of its kind */
export const newRecordFields = (author: Gid, content: object = {}) => {
  const now = new Date().toISOString();
  const data = JSON.stringify(content);
  return {
    data,
    content_bytes: byteSizeOf(data),
    version: 1,
    etag: newEtag(),
    create_time: now,
    update_time: now,
    created_by: author,
    updated_by: author,
  };
};
