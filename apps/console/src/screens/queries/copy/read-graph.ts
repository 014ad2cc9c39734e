import type { DataSchema, GraphNode, GraphRelationship, IkgAdmin } from "@ikg/client";

interface TestGraph {
  readonly nodes: readonly GraphNode[];
  readonly relationships: readonly GraphRelationship[];
}

/** A larger graph is no file to read, and a test takes its time to load it. */
const maxNodes = 500;

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

/** Whether the nodes of some types, and the relationships between them, are few enough. */
const isSmall = (
  { graph: { nodes, edges } }: DataSchema,
  types: ReadonlySet<string> | undefined,
): boolean => {
  const isOf = (type: string): boolean => types === undefined || types.has(type);
  const counts = Object.entries(nodes).map(([type, { metadata }]) => (isOf(type) ? metadata.node_count : 0));
  const ofEdges = edges.map(({ source, target, metadata }) =>
    isOf(source) && isOf(target) ? metadata.count : 0,
  );
  return sum(counts) <= maxNodes && sum(ofEdges) <= 4 * maxNodes;
};

/** Types that a pattern names, and that of its subject. */
const typesIn = (cypher: string, subjectType: string): ReadonlySet<string> =>
  new Set([
    subjectType,
    ...[...cypher.matchAll(/\(\s*\w*\s*:\s*([A-Za-z_]\w*)/g)].flatMap(([, type]) => type ?? []),
  ]);

/**
 * What of a graph is the world of a test: all of it where that is small, else the types that the policy names.
 *
 * @returns undefined where both are too large for a file.
 */
export const testedTypes = (
  schema: DataSchema,
  cypher: string,
  subjectType: string,
): { readonly types: readonly string[] | undefined } | undefined => {
  if (isSmall(schema, undefined)) return { types: undefined };
  const named = typesIn(cypher, subjectType);
  const types = Object.keys(schema.graph.nodes).filter((type) => named.has(type));
  return isSmall(schema, named) && types.length > 0 ? { types } : undefined;
};

const keyOf = ({ type, external_id: id }: GraphNode): string => JSON.stringify([type, id]);

/**
 * The graph as a test takes it. A node with much content has several lines.
 *
 * @param types only nodes of these, and the relationships between them; undefined: all.
 */
export const readGraph = async (
  admin: IkgAdmin,
  types: readonly string[] | undefined,
): Promise<TestGraph> => {
  const nodes = new Map<string, GraphNode>();
  const relationships: GraphRelationship[] = [];
  for await (const line of admin.exportGraph({ types })) {
    if ("relationship" in line) {
      relationships.push(line.relationship);
      continue;
    }
    const { node } = line;
    const before = nodes.get(keyOf(node));
    const properties = [...(before?.properties ?? []), ...(node.properties ?? [])];
    nodes.set(keyOf(node), { ...before, ...node, ...(properties.length > 0 && { properties }) });
  }
  return { nodes: [...nodes.values()], relationships };
};
