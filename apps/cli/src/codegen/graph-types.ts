import type { DataSchema } from "@ikg/contracts";
import type { GraphTypes, ValueType } from "./project-model.ts";

type Types = Map<string, Map<string, Set<ValueType>>>;

const valueTypes: Readonly<Record<string, ValueType>> = {
  string: "string",
  integer: "number",
  float: "number",
  boolean: "boolean",
  array: "list",
};

const entryOf = (nodes: Types, type: string): Map<string, Set<ValueType>> => {
  const known = nodes.get(type) ?? new Map<string, Set<ValueType>>();
  nodes.set(type, known);
  return known;
};

const add = (properties: Map<string, Set<ValueType>>, name: string, type: ValueType | undefined): void => {
  const known = properties.get(name) ?? new Set();
  if (type !== undefined) known.add(type);
  properties.set(name, known);
};

/** Types of a live graph by its statistics, without those of the suite, which start with an underscore. */
export const typesOfSchema = ({ graph }: DataSchema): GraphTypes => {
  const nodes: Types = new Map();
  for (const [type, { metadata }] of Object.entries(graph.nodes)) {
    if (type.startsWith("_")) continue;
    const properties = entryOf(nodes, type);
    for (const [name, { types }] of Object.entries(metadata.properties))
      for (const { type: stored } of types) add(properties, name, valueTypes[stored]);
  }
  const relations = graph.edges.map(({ relation }) => relation).filter((name) => !name.startsWith("_"));
  return { nodes, relationships: new Set(relations) };
};

const typeOfValue = (value: unknown): ValueType | undefined => {
  if (Array.isArray(value)) return "list";
  const type = typeof value;
  return type === "string" || type === "number" || type === "boolean" ? type : undefined;
};

type Body = Readonly<Record<string, unknown>>;

/** Types of a graph in files, in the format of the capture API. */
export const typesOfGraph = (graph: {
  readonly nodes: readonly Body[];
  readonly relationships: readonly Body[];
}): GraphTypes => {
  const nodes: Types = new Map();
  for (const { type, properties } of graph.nodes) {
    const known = entryOf(nodes, String(type));
    for (const property of Array.isArray(properties) ? (properties as readonly Body[]) : [])
      // in the format of the capture API
      add(known, String(property["type"]), typeOfValue(property["value"]));
  }
  return { nodes, relationships: new Set(graph.relationships.map(({ type }) => String(type))) };
};
