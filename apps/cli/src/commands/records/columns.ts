import { isJsonObject } from "@ikg/contracts/values";
import type { Column } from "../../output/print.ts";
import type { AnyRecord } from "../../records/open-collection.ts";

/** Fields that become columns, in this order, if a collection has them. */
const fields = [
  "name",
  "kid",
  "status",
  "role",
  "subject",
  "over",
  "enabled",
  "api_permissions",
  "ikg_status",
  "display_name",
  "expire_time",
  "update_time",
  "id",
] as const;

/** Values that are not one text: of lists the entries, of the subject of a role binding its account or claim. */
const textOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.join(" ");
  if (!isJsonObject(value)) return value;
  const { service_account_id: account, claim, value: claimed } = value;
  return typeof claim === "string" ? `${claim}: ${String(claimed)}` : account;
};

/** `over` is no field: a role binding is over a project, or without one over the organization. */
const valueOf = (record: AnyRecord, field: (typeof fields)[number]): unknown => {
  if (field !== "over") return textOf(record[field]);
  return record["subject"] === undefined ? undefined : (record["project_id"] ?? "organization");
};

const wholeFields: ReadonlySet<string> = new Set(["id", "name", "subject", "over"]);

const headerOf = (field: string): string => field.replaceAll("_", " ").toUpperCase();

/** Columns of a list: those with a value in any record. A display name that equals the name is omitted. */
export const columnsOf = (records: readonly AnyRecord[]): readonly Column<AnyRecord>[] =>
  fields
    .filter((field) =>
      records.some(
        (record) =>
          valueOf(record, field) !== undefined &&
          (field !== "display_name" || (record[field] !== record["name"] && record[field] !== record["kid"])),
      ),
    )
    .map((field) => ({
      header: headerOf(field),
      value: (record) => valueOf(record, field),
      ...((wholeFields.has(field) || field.endsWith("_time")) && { whole: true as const }),
    }));
