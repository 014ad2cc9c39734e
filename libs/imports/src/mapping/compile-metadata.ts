import type { Cells } from "../tables/row.ts";
import type { ColumnOf } from "./column.ts";
import { compileValue, type ValueOf } from "./compile-value.ts";
import type { OnFault } from "./convert.ts";
import type { MetadataMapping, MetadataValueMapping, ValueKind } from "./schema.ts";

/** Reads the metadata of a property from a row; undefined if none of it has a value. */
export type MetadataOf = (cells: Cells, fault: OnFault) => Readonly<Record<string, unknown>> | undefined;

const valueOf = (mapping: MetadataValueMapping, columnOf: ColumnOf, as?: ValueKind): ValueOf => {
  if (typeof mapping === "string") return compileValue({ template: mapping }, columnOf);
  if (typeof mapping !== "object" || Array.isArray(mapping))
    return compileValue({ value: mapping }, columnOf);
  return compileValue({ ...mapping, as: mapping.as ?? as }, columnOf);
};

const objectOf =
  (members: readonly (readonly [string, ValueOf | MetadataOf])[]): MetadataOf =>
  (cells, fault) => {
    const result: Record<string, unknown> = {};
    let isEmpty = true;
    for (const [name, valueIn] of members) {
      const value = valueIn(cells, (message) => fault(`${name}: ${message}`));
      if (value === undefined) continue;
      result[name] = value;
      isEmpty = false;
    }
    return isEmpty ? undefined : result;
  };

/** Default types of the predefined metadata. */
const kinds: Readonly<Record<string, ValueKind>> = {
  source: "string",
  verified_time: "datetime",
  assurance_level: "integer",
};

export const compileMetadata = (
  { custom_metadata = {}, ...named }: MetadataMapping,
  columnOf: ColumnOf,
): MetadataOf => {
  const members = Object.entries(named).flatMap(([name, mapping]) =>
    mapping === undefined ? [] : [[name, valueOf(mapping, columnOf, kinds[name])] as const],
  );
  const custom = Object.entries(custom_metadata).map(
    ([name, mapping]) => [name, valueOf(mapping, columnOf)] as const,
  );
  return objectOf(custom.length === 0 ? members : [...members, ["custom_metadata", objectOf(custom)]]);
};
