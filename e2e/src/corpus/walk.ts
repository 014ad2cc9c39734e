import type { GraphNode, GraphRelationship } from "../requests/capture.ts";
import type { CorpusGraph } from "./read.ts";

/** What a row of a pattern binds: nodes by name, and relationships of one way. */
export interface Found {
  readonly nodes: Readonly<Record<string, GraphNode | undefined>>;
  readonly way: readonly GraphRelationship[];
}

type Direction = "out" | "in" | "both";

interface Step {
  /** Types of the relationship; none: any. */
  readonly types?: readonly string[];
  readonly direction?: Direction;
  readonly to: string;
  readonly type: string;
  readonly id?: string;
  /** Relationships at most; 1 unless given. No relationship is walked twice. */
  readonly most?: number;
}

/** Patterns over a graph as it lies in a file, one after the other, by trying everything. */
export interface Walk {
  readonly rows: readonly Found[];
  /** Every node of the type, with every row. */
  node(name: string, type: string, id?: string): Walk;
  hop(from: string, step: Step): Walk;
  /** Rows without a hop stay, with nothing under the name. */
  optional(from: string, step: Step): Walk;
  where(test: (found: Found) => boolean): Walk;
}

const keyOf = ({ type, external_id }: { type: string; external_id: string }): string =>
  `${type}/${external_id}`;

const walk = (graph: CorpusGraph, rows: readonly Found[]): Walk => {
  const nodes = new Map(graph.nodes.map((node) => [keyOf(node), node]));
  const nexts = (from: string, types: Step["types"], direction: Direction) =>
    graph.relationships.flatMap((relationship): [GraphRelationship, string][] => {
      if (types !== undefined && !types.includes(relationship.type)) return [];
      const [source, target] = [keyOf(relationship.source), keyOf(relationship.target)];
      return [
        ...(direction !== "in" && source === from
          ? [[relationship, target] as [GraphRelationship, string]]
          : []),
        ...(direction !== "out" && target === from && !(direction === "both" && source === target)
          ? [[relationship, source] as [GraphRelationship, string]]
          : []),
      ];
    });
  const hops = (found: Found, from: string, step: Step): readonly Found[] => {
    const start = found.nodes[from];
    if (start === undefined) return [];
    const ends: Found[] = [];
    const go = (at: string, way: readonly GraphRelationship[]): void => {
      for (const [relationship, next] of nexts(at, step.types, step.direction ?? "out")) {
        if (way.includes(relationship)) continue;
        const further = [...way, relationship];
        const node = nodes.get(next);
        if (node?.type === step.type && (step.id === undefined || node.external_id === step.id))
          ends.push({ nodes: { ...found.nodes, [step.to]: node }, way: further });
        if (further.length < (step.most ?? 1)) go(next, further);
      }
    };
    go(keyOf(start), []);
    return ends;
  };
  return {
    rows,
    node: (name, type, id) =>
      walk(
        graph,
        rows.flatMap((found) =>
          graph.nodes
            .filter((node) => node.type === type && (id === undefined || node.external_id === id))
            .map((node) => ({ ...found, nodes: { ...found.nodes, [name]: node } })),
        ),
      ),
    hop: (from, step) =>
      walk(
        graph,
        rows.flatMap((found) => hops(found, from, step)),
      ),
    optional: (from, step) =>
      walk(
        graph,
        rows.flatMap((found) => {
          const ends = hops(found, from, step);
          return ends.length > 0 ? ends : [{ ...found, nodes: { ...found.nodes, [step.to]: undefined } }];
        }),
      ),
    where: (test) => walk(graph, rows.filter(test)),
  };
};

/** What distinguishes a relationship from others of its type between the same nodes. */
const discriminatorOf = ({ properties = [] }: GraphRelationship): string => {
  const valueOf = (name: unknown): unknown => properties.find(({ type }) => type === name)?.value;
  return JSON.stringify(valueOf(valueOf("discriminating_property")) ?? "");
};

/** Relationships as capture keeps them: one of each identity, with what was written last. */
const kept = (relationships: CorpusGraph["relationships"]): CorpusGraph["relationships"] => [
  ...new Map(
    relationships.map((each) => [
      `${keyOf(each.source)} ${each.type} ${keyOf(each.target)} ${discriminatorOf(each)}`,
      each,
    ]),
  ).values(),
];

/** One row that binds nothing yet. */
export const walkOver = (graph: CorpusGraph): Walk =>
  walk({ ...graph, relationships: kept(graph.relationships) }, [{ nodes: {}, way: [] }]);

/** The graph with the nodes that only its relationships name, without properties. */
export const completed = (graph: CorpusGraph): CorpusGraph => {
  const known = new Set(graph.nodes.map(keyOf));
  const missing = graph.dangling
    .flatMap(({ source, target }) => [source, target])
    .filter((ref) => !known.has(keyOf(ref)) && known.add(keyOf(ref)));
  return {
    nodes: [...graph.nodes, ...missing.map(({ type, external_id }) => ({ type, external_id }))],
    relationships: [...graph.relationships, ...graph.dangling],
    dangling: [],
  };
};

/** What a path of a query shows of a node. */
export const shownBy = (path: string, { nodes }: Found): unknown => {
  const [alias = "", ...tail] = path.split(".");
  const node = nodes[alias];
  if (node === undefined) return null;
  if (tail[0] === "external_id") return node.external_id;
  return node.properties?.find(({ type }) => type === tail[1])?.value ?? null;
};
