import type { Parameters, ProjectModel, QueryModel, RowPath, ValueType } from "./project-model.ts";

/** An order that does not depend on the locale. */
const byName = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : one > other ? 1 : 0;

const memberName = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name));

const indented = (text: string): string => text.replaceAll("\n", "\n  ");

/** An object type with its members sorted by name. */
const objectType = (members: Iterable<readonly [string, string]>): string => {
  const lines = [...members].sort(byName).map(([name, type]) => `  ${memberName(name)}: ${indented(type)};`);
  return lines.length === 0 ? "Record<string, never>" : `{\n${lines.join("\n")}\n}`;
};

const mapType = <V>(map: ReadonlyMap<string, V>, typeOf: (value: V) => string): string =>
  objectType([...map].map(([name, value]) => [name, typeOf(value)] as const));

const valueTexts: Readonly<Record<ValueType, string>> = {
  string: "string",
  number: "number",
  boolean: "boolean",
  list: "readonly (string | number | boolean)[]",
};

/** The type of a property; any type if no value is known. */
const valueType = (types: ReadonlySet<ValueType>): string =>
  types.size === 0
    ? "Value"
    : [...types]
        .map((type) => valueTexts[type])
        .sort()
        .join(" | ");

const paramsType = (params: Parameters): string =>
  mapType(params, (kind) => (kind === "value" ? "Value" : "Readonly<Record<string, unknown>>"));

const pathType = ({ type }: RowPath): string => (type === "string" ? "string | null" : "Value | null");

/** The type of a part of a row; open if a path stands for several members. */
const partType = (paths: readonly RowPath[]): string =>
  paths.some(({ type }) => type === "open")
    ? "Record<string, unknown>"
    : objectType(paths.map((path) => [path.path, pathType(path)] as const));

const queryType = ({ params, writes, row }: QueryModel): string => {
  const parts = Object.entries(row).filter(([name, paths]) => name === "nodes" || paths.length > 0);
  return objectType([
    ["params", paramsType(params)],
    ["row", objectType(parts.map(([name, paths]) => [name, partType(paths)] as const))],
    ["writes", String(writes)],
  ]);
};

/**
 * Prints the types of a project as a module; deterministic for the same project.
 *
 * @param name the name of the type.
 */
export const printTypes = (
  name: string,
  { nodes, relationships, actions, queries }: ProjectModel,
): string => {
  const members = [
    ["nodes", mapType(nodes, (properties) => mapType(properties, valueType))],
    [
      "relationships",
      [...relationships]
        .sort()
        .map((each) => JSON.stringify(each))
        .join(" | ") || "never",
    ],
    [
      "actions",
      mapType(actions, (ofSubject) => mapType(ofSubject, (ofResource) => mapType(ofResource, paramsType))),
    ],
    ["queries", mapType(queries, queryType)],
  ] as const;
  const body = members.map(([member, type]) => `  ${member}: ${indented(type)};`).join("\n");
  const value = body.includes("Value") ? 'import type { Value } from "@ikg/client";\n\n' : "";
  return `// Written by \`ikg codegen\`; do not edit.\n${value}export interface ${name} {\n${body}\n}\n`;
};
