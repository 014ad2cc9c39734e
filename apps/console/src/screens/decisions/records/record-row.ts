import type { AuditBatch, AuditRecord } from "@ikg/client";
import { isObject, type Members, textOf } from "../../../text/json.ts";
import type { Kind } from "../decisions-search.ts";

export interface RecordedNode {
  readonly type: string;
  readonly id: string;
}

/** Where a record is in the chain. */
export type RecordPlace = Pick<AuditBatch, "batch_id" | "sequence" | "hash" | "kid" | "alg">;

export type Result = "allowed" | "denied" | "failed" | "done";

/** A row of the list: a record, or one decision of a batch. */
export interface RecordRow {
  readonly key: string;
  readonly record: AuditRecord;
  readonly place: RecordPlace;
  /** Index within a batch of decisions, and how many it has. */
  readonly entry: { readonly index: number; readonly of: number } | undefined;
  readonly time: string;
  readonly kind: Exclude<Kind, "all">;
  readonly result: Result;
  readonly subject: RecordedNode | undefined;
  readonly action: string;
  readonly resource: RecordedNode | undefined;
  /** The policy that granted. */
  readonly grantedBy: string | undefined;
  /** Policies that could have applied, the granting one included. */
  readonly policies: readonly string[];
}

const kindsOfTypes: readonly (readonly [prefix: string, kind: RecordRow["kind"]])[] = [
  ["audit.authorization.evaluation", "decisions"],
  ["audit.authorization.search", "decisions"],
  ["audit.ciq.", "queries"],
  ["audit.capture.", "graph"],
  ["audit.graph.", "graph"],
  ["audit.config.", "configuration"],
  ["audit.credentials.", "credentials"],
];

export const kindOf = (type: string): RecordRow["kind"] =>
  kindsOfTypes.find(([prefix]) => type.startsWith(prefix))?.[1] ?? "other";

const nodeOf = (value: unknown): RecordedNode | undefined =>
  isObject(value) ? { type: textOf(value["type"]), id: textOf(value["id"]) } : undefined;

const idOf = (value: unknown): string | undefined =>
  isObject(value) && typeof value["id"] === "string" ? value["id"] : undefined;

const policiesOf = ({ tried, granted_by: granted, policy }: Members): readonly string[] => {
  const all = [...(Array.isArray(tried) ? (tried as readonly unknown[]) : []), granted, policy];
  return [...new Set(all.map(idOf).filter((id) => id !== undefined))];
};

const resultOf = ({ outcome }: AuditRecord, { decision }: Members): Result => {
  if (decision === true) return "allowed";
  if (decision === false) return "denied";
  return outcome === "denied" || outcome === "failed" ? outcome : "done";
};

const rowOf = (
  record: AuditRecord,
  place: RecordPlace,
  data: Members,
  entry: RecordRow["entry"],
): RecordRow => ({
  key: entry === undefined ? record.id : `${record.id} ${entry.index}`,
  record,
  place,
  entry,
  time: textOf(record["time"]),
  kind: kindOf(record.type),
  result: resultOf(record, data),
  subject: nodeOf(data["subject"]),
  action: textOf(data["action"]),
  resource: nodeOf(data["resource"]),
  grantedBy: idOf(data["granted_by"]),
  policies: policiesOf(data),
});

const rowsOfRecord = (record: AuditRecord, place: RecordPlace): readonly RecordRow[] => {
  const data = isObject(record["data"]) ? record["data"] : {};
  const entries: unknown = data["evaluations"];
  if (!Array.isArray(entries) || entries.length === 0) return [rowOf(record, place, data, undefined)];
  return entries.map((each: unknown, index) =>
    rowOf(record, place, isObject(each) ? each : {}, { index, of: entries.length }),
  );
};

/** Rows of a batch, the newest record first; decisions of one record in their order. */
export const rowsOf = ({ data, ...place }: RecordPlace & Pick<AuditBatch, "data">): readonly RecordRow[] =>
  data.toReversed().flatMap((record) => rowsOfRecord(record, place));

/** Whether a replay decides it again. */
export const isReplayable = ({ type }: AuditRecord): boolean =>
  type === "audit.authorization.evaluation" || type === "audit.authorization.evaluations";
