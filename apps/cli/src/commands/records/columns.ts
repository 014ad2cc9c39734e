import type { Column } from "../../output/print.ts";
import type { AnyRecord } from "../../records/open-collection.ts";

/** Fields that become columns, in this order, if a collection has them. */
const fields = [
  "name",
  "kid",
  "status",
  "role",
  "enabled",
  "api_permissions",
  "ikg_status",
  "display_name",
  "expire_time",
  "update_time",
  "id",
] as const;

const headerOf = (field: string): string => field.replaceAll("_", " ").toUpperCase();

/** Columns of a list: those with a value in any record. A display name that equals the name is omitted. */
export const columnsOf = (records: readonly AnyRecord[]): readonly Column<AnyRecord>[] =>
  fields
    .filter((field) =>
      records.some(
        (record) =>
          record[field] !== undefined &&
          (field !== "display_name" || (record[field] !== record["name"] && record[field] !== record["kid"])),
      ),
    )
    .map((field) => ({
      header: headerOf(field),
      value: (record) => {
        const value = record[field];
        return Array.isArray(value) ? value.join(" ") : value;
      },
      ...((field === "id" || field === "name" || field.endsWith("_time")) && { whole: true as const }),
    }));
