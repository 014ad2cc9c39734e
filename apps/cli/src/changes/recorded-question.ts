import type { AuditRecord } from "@ikg/client";
import { isJsonObject } from "@ikg/contracts/values";

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields => (isJsonObject(value) ? value : {});

const entityText = (value: unknown): string => {
  const { type, id } = fieldsOf(value);
  return typeof type === "string" && typeof id === "string" ? `${type}/${id}` : "…";
};

/** The question of a recorded decision, as far as it was recorded: `Pilot/amelia FLY Aircraft/N211`. */
export const questionOf = ({ data }: AuditRecord, entry: number | undefined): string => {
  const all = fieldsOf(data);
  const entries = Array.isArray(all["evaluations"]) ? (all["evaluations"] as readonly unknown[]) : [];
  const one = entry === undefined ? all : { ...all, ...fieldsOf(entries[entry]) };
  const action: unknown = one["action"];
  return `${entityText(one["subject"])} ${typeof action === "string" ? action : "…"} ${entityText(one["resource"])}`;
};
