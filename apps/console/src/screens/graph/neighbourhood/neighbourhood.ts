import type { Neighbour } from "@ikg/client";
import type { NamedNode } from "../node-link.tsx";

/** What is known of the neighbours of one node. */
export interface Expansion {
  readonly node: NamedNode;
  readonly neighbours: readonly Neighbour[];
  readonly status: "loading" | "ready" | "failed";
  /** Continues after what was read; undefined where that is all. */
  readonly cursor: string | undefined;
  /** Why the last page could not be read. */
  readonly error?: unknown;
}

export type Expansions = ReadonlyMap<string, Expansion>;

export interface GraphNode extends NamedNode {
  readonly key: string;
  /** The node by whose expansion it came; undefined for the first one. */
  readonly anchor: string | undefined;
}

export interface GraphRelationship {
  readonly key: string;
  readonly source: string;
  readonly target: string;
  readonly type: string;
  readonly properties: Neighbour["relationship"]["properties"];
  readonly updateTime: string | undefined;
}

/** Nodes and the relationships between them, each once. */
export interface Neighbourhood {
  readonly nodes: ReadonlyMap<string, GraphNode>;
  readonly relationships: readonly GraphRelationship[];
}

export const nodeKey = ({ type, external_id: id }: NamedNode): string => JSON.stringify([type, id]);

/** @param root stands first, also while nothing is known of its neighbours. */
export const neighbourhoodOf = (root: NamedNode, expansions: Expansions): Neighbourhood => {
  const nodes = new Map<string, GraphNode>();
  const relationships = new Map<string, GraphRelationship>();
  const rootKey = nodeKey(root);
  const add = (key: string, { type, external_id }: NamedNode, anchor: string | undefined): void => {
    if (!nodes.has(key)) nodes.set(key, { key, type, external_id, anchor });
  };
  add(rootKey, root, undefined);
  for (const [from, { neighbours }] of expansions)
    for (const { relationship, node } of neighbours) {
      const to = nodeKey(node);
      add(to, node, from);
      const { type, direction, properties, update_time: updateTime } = relationship;
      const [source, target] = direction === "out" ? [from, to] : [to, from];
      const key = JSON.stringify([source, type, target]);
      relationships.set(key, { key, source, target, type, properties, updateTime });
    }
  return { nodes, relationships: [...relationships.values()] };
};

/** How many there are of each, in the order of the names. */
const tally = (names: Iterable<string>): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return new Map([...counts].toSorted(([one], [other]) => (one < other ? -1 : 1)));
};

export const nodeTypes = ({ nodes }: Neighbourhood): ReadonlyMap<string, number> =>
  tally([...nodes.values()].map(({ type }) => type));

export const relationshipTypes = ({ relationships }: Neighbourhood): readonly string[] => [
  ...tally(relationships.map(({ type }) => type)).keys(),
];

/** Without nodes of some types, and without relationships that end there; the root stays. */
export const withoutTypes = (
  { nodes, relationships }: Neighbourhood,
  hidden: ReadonlySet<string>,
): Neighbourhood => {
  if (hidden.size === 0) return { nodes, relationships };
  const shown = new Map(
    [...nodes].filter(([, { type, anchor }]) => anchor === undefined || !hidden.has(type)),
  );
  return {
    nodes: shown,
    relationships: relationships.filter(({ source, target }) => shown.has(source) && shown.has(target)),
  };
};

/** Nodes and relationships together, as the limit of the drawing counts them. */
export const elementCount = ({ nodes, relationships }: Neighbourhood): number =>
  nodes.size + relationships.length;
