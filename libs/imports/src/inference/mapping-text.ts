import { stringify } from "yaml";
import type { ColumnProfile } from "./column-profile.ts";
import { type ForeignKey, foreignKeysOf, idColumnOf } from "./keys.ts";
import { propertyNameOf, relationshipNameOf } from "./names.ts";
import type { TableProfile } from "./table-profile.ts";

/** A value as YAML on one line. */
const inline = (value: unknown): string =>
  stringify(value, { collectionStyle: "flow", lineWidth: 0, flowCollectionPadding: false }).trimEnd();

const template = (column: string): string => JSON.stringify(`{${column}}`);

const refText = (type: string, column: string): string =>
  `{type: ${inline(type)}, external_id: ${template(column)}}`;

const propertyLines = (columns: readonly ColumnProfile[]): readonly string[] => {
  const taken = new Set<string>();
  return columns.map(({ name, as }) => {
    let property = propertyNameOf(name);
    while (taken.has(property)) property += "_";
    taken.add(property);
    return `${property}: ${as === undefined ? inline(name) : inline({ column: name, as })}`;
  });
};

const indented = (lines: readonly string[], by: number): readonly string[] =>
  lines.map((line) => " ".repeat(by) + line);

const commented = (lines: readonly string[]): readonly string[] => lines.map((line) => `# ${line}`);

const reasonOf = ({ column, file, isContained }: ForeignKey): string => {
  if (file === undefined) return `no file has the rows that ${column.name} refers to`;
  return isContained
    ? `the sampled values of ${column.name} are ids of ${file}`
    : `${column.name} has the name of ${file}, but not all of its sampled values are ids of that file`;
};

/** A relationship for each key, in comments: the data shows neither whether it is intended nor its type. */
const proposals = (type: string, id: string, keys: readonly ForeignKey[]): readonly string[] =>
  keys.length === 0
    ? []
    : commented([
        "relationships:",
        ...keys.flatMap((key) => [
          `  # ${reasonOf(key)}`,
          `  - source: ${refText(type, id)}`,
          `    type: ${relationshipNameOf(key.role)}`,
          `    target: ${refText(key.type, key.column.name)}`,
        ]),
      ]);

const nodeSection = (
  { type, columns }: TableProfile,
  id: ColumnProfile,
  keys: readonly ForeignKey[],
): readonly string[] => {
  const properties = propertyLines(columns.filter((column) => column !== id));
  return [
    "nodes:",
    `  - type: ${inline(type)}`,
    `    external_id: ${template(id.name)}`,
    "    # is_identity: true   # if these nodes are subjects of decisions",
    ...(properties.length === 0 ? [] : ["    properties:", ...indented(properties, 6)]),
    ...proposals(type, id.name, keys),
  ];
};

/** The section of a join table, whose rows are relationships. */
const pairSection = (
  { columns }: TableProfile,
  [source, target]: readonly [ForeignKey, ForeignKey],
): readonly string[] => {
  const rest = columns.filter((column) => column !== source.column && column !== target.column);
  return [
    ...commented([reasonOf(source), reasonOf(target)]),
    "relationships:",
    `  - source: ${refText(source.type, source.column.name)}`,
    `    type: ${relationshipNameOf(target.role)}`,
    `    target: ${refText(target.type, target.column.name)}`,
    ...(rest.length === 0 ? [] : ["    properties:", ...indented(propertyLines(rest), 6)]),
  ];
};

const sectionOf = (table: TableProfile, tables: readonly TableProfile[]): readonly string[] => {
  const id = idColumnOf(table);
  const keys = foreignKeysOf(table, tables);
  const [source, target] = keys;
  if (id !== undefined) return nodeSection(table, id, keys);
  if (source !== undefined && target !== undefined) return pairSection(table, [source, target]);
  const [first] = table.columns;
  if (first === undefined) return ["nodes: []   # the file has no rows"];
  return [
    "# No column is unique in the sampled rows: choose the columns that identify a row.",
    ...nodeSection(table, first, keys),
  ];
};

/** The text of a mapping; deterministic for the same files. */
export const mappingText = (tables: readonly TableProfile[]): string =>
  [
    "# Inferred by ikg import --infer from the first rows: review it before use. Format: docs/import-mapping.md",
    "files:",
    ...tables.flatMap((table) => [
      `  ${inline(table.file)}:   # ${table.isWhole ? `${table.rows} rows` : `inferred from the first ${table.rows} rows`}`,
      ...(table.delimiter === undefined ? [] : [`    delimiter: ${JSON.stringify(table.delimiter)}`]),
      ...(table.empty.length === 0 ? [] : [`    empty: ${JSON.stringify(table.empty)}`]),
      ...indented(sectionOf(table, tables), 4),
    ]),
    "",
  ].join("\n");
