import type { GraphSpec, JsonValue, NodeSpec, Stored } from "./model.ts";
import type { Value, WorldEdge, WorldNode } from "./values.ts";

/** A graph spelled out: what matches can bind. */
export interface World {
  readonly nodes: readonly WorldNode[];
  readonly edges: readonly WorldEdge[];
}

export const trustDimensions = [
  "_final_score",
  "_validity",
  "_verification",
  "_freshness",
  "_origin",
  "_completeness",
] as const;

export const keyOf = ({ type, id }: { type: string; id: string }): string => `${type}/${id}`;
/** The gid that the platform would have given. It sorts like the key. */
export const gidOf = (node: NodeSpec): string => `gid:${keyOf(node)}`;
export const createTime = "2026-01-02T03:04:05.000Z";
export const updateTime = "2026-02-03T04:05:06.000Z";

const stored = (value: Stored): Value => value;

const nodeOf = (spec: NodeSpec): WorldNode => ({
  element: "node",
  type: spec.type,
  externalId: spec.id,
  gid: gidOf(spec),
  createTime,
  updateTime,
  labels: new Set([spec.type, ...spec.labels]),
  properties: new Map(
    Object.entries(spec.properties).flatMap(([name, { value }]) =>
      value === undefined ? [] : [[name, stored(value)]],
    ),
  ),
  metadata: new Map(
    Object.entries(spec.properties).map(([name, { metadata }]) => [
      name,
      new Map(Object.entries(metadata ?? {})),
    ]),
  ),
  trust: spec.trust && new Map(Object.entries(spec.trust)),
});

/** The `_TrustScore` node that hangs on a scored node over `_HAS`: a node of the graph like others. */
const scoreOf = (scored: WorldNode): WorldNode => ({
  element: "node",
  type: "_TrustScore",
  externalId: null,
  gid: null,
  createTime: null,
  updateTime,
  labels: new Set(["_TrustScore"]),
  properties: new Map(),
  metadata: new Map(),
  trust: scored.trust,
});

/** Edges whose ends are not there are left out, so that a node can be taken away to make a case smaller. */
export const worldOf = (graph: GraphSpec): World => {
  const byKey = new Map(graph.nodes.map((spec) => [keyOf(spec), nodeOf(spec)]));
  const edges: WorldEdge[] = graph.edges.flatMap(({ source, type, target, properties }) => {
    const [from, to] = [byKey.get(source), byKey.get(target)];
    if (from === undefined || to === undefined) return [];
    return [
      {
        element: "edge",
        type,
        createTime,
        updateTime,
        source: from,
        target: to,
        properties: new Map(Object.entries(properties)),
      },
    ];
  });
  const nodes = [...byKey.values()];
  for (const node of [...nodes]) {
    if (node.trust === undefined) continue;
    const score = scoreOf(node);
    nodes.push(score);
    edges.push({
      element: "edge",
      type: "_HAS",
      createTime: null,
      updateTime: null,
      source: node,
      target: score,
      properties: new Map(),
    });
  }
  return { nodes, edges };
};

/** A JSON value as the database sees a parameter. */
export const valueOf = (json: JsonValue | undefined): Value => {
  if (json === undefined || json === null) return null;
  if (Array.isArray(json)) return (json as readonly JsonValue[]).map(valueOf);
  if (typeof json === "object")
    return {
      element: "map",
      entries: new Map(Object.entries(json).map(([key, value]) => [key, valueOf(value)])),
    };
  return json;
};
