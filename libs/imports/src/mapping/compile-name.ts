import type { Cells } from "../tables/row.ts";
import type { ColumnOf } from "./column.ts";
import { MappingFault, withPath } from "./mapping-fault.ts";
import type { NodeName } from "./schema.ts";
import { compileTemplate, parseTemplate } from "./template.ts";

/** Reference to a node in a line of an import. */
export interface NodeRef {
  readonly type: string;
  readonly external_id: string;
}

/** Reads a reference to a node from a row; undefined if one of its columns is empty. */
export type NodeRefOf = (cells: Cells) => NodeRef | undefined;

/** Columns that a reference to a node requires. */
export const nameColumns = ({ type, external_id }: NodeName): readonly string[] => [
  ...parseTemplate(type).columns,
  ...parseTemplate(external_id).columns,
];

export const compileName = (mapping: NodeName, columnOf: ColumnOf): NodeRefOf => {
  const typeOf = withPath(["type"], () => compileTemplate(mapping.type, columnOf));
  const idOf = withPath(["external_id"], () => compileTemplate(mapping.external_id, columnOf));
  if (parseTemplate(mapping.external_id).columns.length === 0)
    throw new MappingFault(
      ["external_id"],
      `external_id: contains no column; write "{${mapping.external_id}}" for the value of column ${mapping.external_id}`,
    );
  return (cells) => {
    const type = typeOf(cells);
    const external_id = idOf(cells);
    return type === undefined || external_id === undefined ? undefined : { type, external_id };
  };
};
