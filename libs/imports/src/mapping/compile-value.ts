import type { Cells } from "../tables/row.ts";
import type { ColumnOf } from "./column.ts";
import { conversionOf, type OnFault, type Value } from "./convert.ts";
import type { ColumnMapping } from "./schema.ts";
import { compileTemplate } from "./template.ts";

/** Reads a value from a row; undefined if it is empty. */
export type ValueOf = (cells: Cells, fault: OnFault) => Value | undefined;

/** The source of the value of a property: exactly one of the members. */
export interface ValueMapping extends Omit<ColumnMapping, "column"> {
  readonly column?: string | undefined;
  readonly template?: string | undefined;
  readonly value?: Value | undefined;
}

const ofColumn = ({ column, as, of, separator }: ColumnMapping, columnOf: ColumnOf): ValueOf => {
  const read = columnOf(column);
  const convert = conversionOf(as, { of, separator });
  return (cells, fault) => {
    const value = read(cells);
    return value === undefined ? undefined : convert(value, fault);
  };
};

export const compileValue = (mapping: ValueMapping, columnOf: ColumnOf): ValueOf => {
  const { column, template, value } = mapping;
  if (column !== undefined) return ofColumn({ ...mapping, column }, columnOf);
  if (template !== undefined) return compileTemplate(template, columnOf);
  return () => value;
};
