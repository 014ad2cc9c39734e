import type { AuditRecord } from "@ikg/client";
import { isObject, type Members } from "../text/json.ts";

/** The decisions of an audit record: one of an evaluation, as many as were asked of a batch, none of any other record. */
export const recordedDecisions = ({ type, data }: AuditRecord): readonly Members[] => {
  if (!isObject(data)) return [];
  if (type === "audit.authorization.evaluation") return [data];
  const entries = type === "audit.authorization.evaluations" ? data["evaluations"] : undefined;
  return Array.isArray(entries) ? entries.filter(isObject) : [];
};
