import type { AuditRecord } from "@ikg/client";
import { isObject, type Members, textOf } from "../../parts/json.ts";

/** Something that a person has to look at. */
export interface Attention {
  readonly id: string;
  readonly time: string;
  readonly kind: "import" | "signing" | "records" | "scoring";
  readonly text: string;
}

const dataOf = ({ data }: AuditRecord): Members => (isObject(data) ? data : {});

const timeOf = (record: AuditRecord): string => textOf(record["time"]);

/** What a record means for operators of the project; undefined where nothing is to be done. */
const attentionOf = (record: AuditRecord): Attention | undefined => {
  const { type } = record;
  const data = dataOf(record);
  const time = timeOf(record);
  const importId = textOf(data["import_id"]);
  if (type.startsWith("audit.capture.upsert.") && importId !== "" && record["outcome"] === "failed")
    return {
      id: `import ${importId}`,
      time,
      kind: "import",
      text: `The import job ${importId} failed or was cancelled: not all of its rows are in the graph`,
    };
  if (type === "audit.signing.failed")
    return {
      id: `signing ${textOf(data["config_id"])}`,
      time,
      kind: "signing",
      text: `Audit records could not be signed by ${textOf(data["provider"])}: ${textOf(data["reason"]) || "no reason given"}`,
    };
  if (type === "audit.streams.replaced")
    return {
      id: `records ${time}`,
      time,
      kind: "records",
      text: "The Redis that held waiting audit records was replaced: some may be missing",
    };
  if (type === "audit.trustscore.run" && record["outcome"] === "failed")
    return {
      id: `scoring ${textOf(data["profile_id"])}`,
      time,
      kind: "scoring",
      text: `A run of trust scores failed: profile ${textOf(data["profile_id"])}`,
    };
  return undefined;
};

/** What later records have settled: signing works again, a run of the same profile has ended well. */
const settledBy = (record: AuditRecord): string | undefined => {
  const data = dataOf(record);
  if (record.type === "audit.signing.recovered") return `signing ${textOf(data["config_id"])}`;
  if (record.type === "audit.trustscore.run" && record["outcome"] === "success")
    return `scoring ${textOf(data["profile_id"])}`;
  return undefined;
};

/** What needs attention of the records of a time, in the order of the chain; the newest first, each matter once. */
export const needsAttention = (records: readonly AuditRecord[]): readonly Attention[] => {
  const open = new Map<string, Attention>();
  for (const record of records) {
    const settled = settledBy(record);
    if (settled !== undefined) open.delete(settled);
    const found = attentionOf(record);
    if (found === undefined) continue;
    // The place of the newest one.
    open.delete(found.id);
    open.set(found.id, found);
  }
  return [...open.values()].toReversed();
};
