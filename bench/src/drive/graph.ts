/** A graph of numbered nodes, small enough in memory for a million of them. */

export type Value = string | number;

/** Nodes `0` to `count - 1` of a type. */
export interface NodeGroup {
  readonly type: string;
  readonly count: number;
  properties(n: number): Readonly<Record<string, Value>>;
}

/** Relationships of a type between nodes of two types, by their numbers. */
export interface RelationshipGroup {
  readonly type: string;
  readonly source: string;
  readonly target: string;
  readonly pairs: readonly (readonly [number, number])[];
}

export interface Graph {
  readonly nodes: readonly NodeGroup[];
  readonly relationships: readonly RelationshipGroup[];
}

/** What callers know a node by. */
export const externalId = (type: string, n: number): string => `${type.toLowerCase()}-${n}`;

export const nodeCount = ({ nodes }: Graph): number => nodes.reduce((sum, { count }) => sum + count, 0);

export const relationshipCount = ({ relationships }: Graph): number =>
  relationships.reduce((sum, { pairs }) => sum + pairs.length, 0);
