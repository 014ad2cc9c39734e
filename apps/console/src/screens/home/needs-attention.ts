import type { AuditRecord } from "@ikg/client";
import { isObject, type Members, textOf } from "../../text/json.ts";
import { resolverReasonTexts } from "../../text/resolver-reasons.ts";

/** A condition that needs the attention of an administrator. */
export interface Attention {
  readonly id: string;
  readonly time: string;
  readonly kind: "import" | "signing" | "records" | "scoring" | "resolver";
  readonly text: string;
  /** Of a resolver: its name or gid. */
  readonly resolver?: string;
}

const dataOf = ({ data }: AuditRecord): Members => (isObject(data) ? data : {});

const timeOf = (record: AuditRecord): string => textOf(record["time"]);

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const reasonText = (reason: string): string =>
  Object.hasOwn(resolverReasonTexts, reason)
    ? resolverReasonTexts[reason as keyof typeof resolverReasonTexts] // it has it
    : reason.replaceAll("_", " ");

/** Resolvers that returned no values for a query. */
const unreachableResolvers = (record: AuditRecord): readonly Attention[] =>
  listOf(dataOf(record)["failed_resolvers"])
    .filter(isObject)
    .map((failed): Attention => {
      const resolver = textOf(failed["resolver"]);
      const text = `The resolver ${resolver} returned no values. ${reasonText(textOf(failed["reason"]))}`;
      return { id: `resolver ${resolver}`, time: timeOf(record), kind: "resolver", resolver, text };
    });

/** What a record means for operators of the project; undefined where nothing is to be done. */
const attentionOf = (record: AuditRecord): Attention | undefined => {
  const { type } = record;
  const data = dataOf(record);
  const time = timeOf(record);
  const importId = textOf(data["import_id"]);
  const isUnfinished = record["outcome"] === "failed" && data["cancelled"] !== true;
  if (type.startsWith("audit.capture.upsert.") && importId !== "" && isUnfinished)
    return {
      id: `import ${importId}`,
      time,
      kind: "import",
      text: `The import job ${importId} failed: not all of its rows are in the graph`,
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

/** What later records have settled: signing works again, a run of the same profile has ended well, a resolver was called. */
const settledBy = (record: AuditRecord): readonly string[] => {
  const data = dataOf(record);
  if (record.type === "audit.signing.recovered") return [`signing ${textOf(data["config_id"])}`];
  if (record.type === "audit.trustscore.run" && record["outcome"] === "success")
    return [`scoring ${textOf(data["profile_id"])}`];
  if (record.type === "audit.ciq.execute")
    return listOf(data["resolvers"]).map((resolver) => `resolver ${textOf(resolver)}`);
  return [];
};

const mattersOf = (record: AuditRecord): readonly Attention[] => {
  if (record.type === "audit.ciq.execute") return unreachableResolvers(record);
  const found = attentionOf(record);
  return found === undefined ? [] : [found];
};

/** What needs attention of the records of a time, in the order of the chain; the newest first, each matter once. */
export const needsAttention = (records: readonly AuditRecord[]): readonly Attention[] => {
  const open = new Map<string, Attention>();
  for (const record of records) {
    for (const id of settledBy(record)) open.delete(id);
    for (const found of mattersOf(record)) {
      // The place of the newest one.
      open.delete(found.id);
      open.set(found.id, found);
    }
  }
  return [...open.values()].toReversed();
};
