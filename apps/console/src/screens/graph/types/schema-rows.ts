import type { DataSchema } from "@ikg/client";
import { type GraphNode, type Neighbourhood, nodeKey } from "../neighbourhood/neighbourhood.ts";

export interface PropertyCount {
  readonly name: string;
  readonly count: number;
  /** As `string` or `integer, string`. */
  readonly types: string;
}

export interface NodeTypeRow {
  readonly type: string;
  readonly count: number;
  readonly identities: number;
  readonly labels: readonly string[];
  readonly properties: readonly PropertyCount[];
}

export interface RelationshipTypeRow {
  readonly key: string;
  readonly source: string;
  readonly type: string;
  readonly target: string;
  readonly count: number;
  readonly properties: readonly PropertyCount[];
}

type Counted = Readonly<
  Record<string, { readonly count: number; readonly types: readonly { type: string }[] }>
>;

const propertyCounts = (properties: Counted): readonly PropertyCount[] =>
  Object.entries(properties).map(([name, { count, types }]) => ({
    name,
    count,
    types: types.map(({ type }) => type).join(", "),
  }));

/** Types of nodes by name. */
export const nodeTypeRows = ({ graph }: DataSchema): readonly NodeTypeRow[] =>
  Object.entries(graph.nodes).map(([type, { metadata }]) => ({
    type,
    count: metadata.node_count,
    identities: metadata.system_labels.reduce((sum, { count }) => sum + count, 0),
    labels: metadata.user_defined_labels.map(({ name }) => name),
    properties: propertyCounts(metadata.properties),
  }));

/** Types of relationships, each between two types of nodes. */
export const relationshipTypeRows = ({ graph }: DataSchema): readonly RelationshipTypeRow[] =>
  graph.edges.map(({ source, relation, target, metadata }) => ({
    key: JSON.stringify([source, relation, target]),
    source,
    type: relation,
    target,
    count: metadata.count,
    properties: propertyCounts(metadata.properties),
  }));

/** The types as a graph of their own, which is drawn as any other: the type with most relationships is its middle. */
export const schemaGraph = (
  nodes: readonly NodeTypeRow[],
  relationships: readonly RelationshipTypeRow[],
): Neighbourhood => {
  const keyOf = (type: string): string => nodeKey({ type, external_id: type });
  const degree = (type: string): number =>
    relationships.filter(({ source, target }) => source === type || target === type).length;
  const [middle, ...others] = nodes
    .map(({ type }) => type)
    .toSorted((one, other) => degree(other) - degree(one));
  const node = (type: string, anchor: string | undefined): [string, GraphNode] => [
    keyOf(type),
    { key: keyOf(type), type, external_id: type, anchor },
  ];
  return {
    nodes: new Map(
      middle === undefined
        ? []
        : [node(middle, undefined), ...others.map((type) => node(type, keyOf(middle)))],
    ),
    relationships: relationships.map(({ key, source, type, target, count }) => ({
      key,
      source: keyOf(source),
      target: keyOf(target),
      type: `${type} ${count.toLocaleString()}`,
      properties: [],
      updateTime: undefined,
    })),
  };
};
