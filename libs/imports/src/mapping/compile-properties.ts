import type { Cells } from "../tables/row.ts";
import type { ColumnOf } from "./column.ts";
import { compileMetadata } from "./compile-metadata.ts";
import { compileValue } from "./compile-value.ts";
import type { OnFault } from "./convert.ts";
import { withPath } from "./mapping-fault.ts";
import type { NodePropertyMapping } from "./schema.ts";

type Property = Readonly<Record<string, unknown>>;

type PropertyOf = (cells: Cells, fault: OnFault) => Property | undefined;

const compileProperty = (type: string, mapping: NodePropertyMapping, columnOf: ColumnOf): PropertyOf => {
  const given = typeof mapping === "string" ? { column: mapping } : mapping;
  const metadataOf =
    "metadata" in given && given.metadata !== undefined
      ? withPath(["metadata"], () => compileMetadata(given.metadata ?? {}, columnOf))
      : undefined;
  if ("external_value" in given && given.external_value !== undefined) {
    const { external_value } = given;
    return (cells, fault) => {
      const metadata = metadataOf?.(cells, fault);
      return { type, external_value, ...(metadata !== undefined && { metadata }) };
    };
  }
  const valueOf = compileValue(given, columnOf);
  if (metadataOf === undefined)
    return (cells, fault) => {
      const value = valueOf(cells, fault);
      return value === undefined ? undefined : { type, value };
    };
  return (cells, fault) => {
    const value = valueOf(cells, fault);
    if (value === undefined) return undefined;
    const metadata = metadataOf(cells, fault);
    return metadata === undefined ? { type, value } : { type, value, metadata };
  };
};

/** Reads the properties of a line of an import from a row, without those that have no value. */
export type PropertiesOf = (cells: Cells, fault: OnFault) => readonly Property[] | undefined;

export const compileProperties = (
  mappings: Readonly<Record<string, NodePropertyMapping>> | undefined,
  columnOf: ColumnOf,
): PropertiesOf => {
  const properties = Object.entries(mappings ?? {}).map(
    ([name, mapping]) =>
      [name, withPath(["properties", name], () => compileProperty(name, mapping, columnOf))] as const,
  );
  if (properties.length === 0) return () => undefined;
  return (cells, fault) => {
    const found: Property[] = [];
    for (const [name, propertyOf] of properties) {
      const property = propertyOf(cells, (message) => fault(`${name}: ${message}`));
      if (property !== undefined) found.push(property);
    }
    return found.length === 0 ? undefined : found;
  };
};
