import {
  externalValueField,
  keyField,
  metadataField,
  nodeKey,
  nodeLabel,
  projectLabel,
  type ProjectKey,
  propertyField,
  trustScoreKey,
  typeLabel,
} from "@ikg/physical";
import type { Graph } from "@ikg/graph";
import { type EdgeRow, freshKey, type NodeRow, writeRows } from "../graph.ts";
import type { EdgeSpec, GraphSpec, NodeSpec, Stored } from "./model.ts";
import { createTime, gidOf, keyOf, updateTime } from "./world.ts";

const options = { timeoutMs: 60_000 };

/** A value as the driver takes it. */
export const plainOf = (value: unknown): unknown => {
  if (typeof value === "bigint") return Number(value);
  if (Array.isArray(value)) return value.map(plainOf);
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plainOf(each)]));
  return value;
};

/** The gid of a node in one project: unique in the database, and in the order of the keys. */
const storedGid = (pk: ProjectKey, node: NodeSpec): string => `${pk}:${gidOf(node)}`;

/** The node's gid as the evaluator knows it. */
export const logicalGid = (stored: string): string => stored.slice(stored.indexOf(":") + 1);

const nodeFields = (pk: ProjectKey, node: NodeSpec): Record<string, unknown> => {
  const fields: Record<string, unknown> = {
    external_id: node.id,
    type: node.type,
    id: storedGid(pk, node),
    create_time: createTime,
    update_time: updateTime,
    [keyField]: nodeKey(pk, node.type, node.id),
  };
  for (const [name, { value, external, metadata }] of Object.entries(node.properties)) {
    if (value !== undefined) fields[propertyField(name)] = plainOf(value);
    if (external === true) fields[externalValueField(name)] = "a resolver";
    for (const [key, held] of Object.entries<Stored>(metadata ?? {}))
      fields[metadataField(name, key)] = plainOf(held);
  }
  return fields;
};

const nodeRow = (pk: ProjectKey, node: NodeSpec): NodeRow => ({
  labels: [nodeLabel, projectLabel(pk), ...[node.type, ...node.labels].map((label) => typeLabel(label, pk))],
  fields: nodeFields(pk, node),
});

const scoreRows = (pk: ProjectKey, node: NodeSpec): readonly NodeRow[] =>
  node.trust === undefined
    ? []
    : [
        {
          labels: [nodeLabel, projectLabel(pk), typeLabel("_TrustScore", pk)],
          fields: {
            ...node.trust,
            update_time: updateTime,
            [keyField]: trustScoreKey(pk, storedGid(pk, node)),
          },
        },
      ];

const edgeRows = (pk: ProjectKey, { nodes, edges }: GraphSpec): readonly EdgeRow[] => {
  const keys = new Set(nodes.map(keyOf));
  const row = ({ source, type, target, properties }: EdgeSpec): EdgeRow => ({
    type,
    a: `${pk}/${source}`,
    b: `${pk}/${target}`,
    fields: { ...(plainOf(properties) as object), _create_time: createTime, _update_time: updateTime },
  });
  return [
    ...edges.filter(({ source, target }) => keys.has(source) && keys.has(target)).map(row),
    ...nodes.flatMap((node) =>
      node.trust === undefined
        ? []
        : [
            {
              type: "_HAS",
              a: nodeKey(pk, node.type, node.id),
              b: trustScoreKey(pk, storedGid(pk, node)),
              fields: {},
            },
          ],
    ),
  ];
};

/** Writes graphs under their project keys, all in one transaction of two statements. */
export const writeGraphs = (
  graph: Graph,
  graphs: readonly (readonly [ProjectKey, GraphSpec])[],
): Promise<void> =>
  writeRows(
    graph,
    graphs.flatMap(([pk, spec]) => spec.nodes.flatMap((node) => [nodeRow(pk, node), ...scoreRows(pk, node)])),
    graphs.flatMap(([pk, spec]) => edgeRows(pk, spec)),
  );

/** Removes everything under these keys. */
export const dropGraphs = (graph: Graph, keys: readonly ProjectKey[]): Promise<void> =>
  graph.shared.write(async (tx) => {
    await tx.run("UNWIND $labels AS label MATCH (n:$(label)) DETACH DELETE n", {
      labels: keys.map(projectLabel),
    });
  }, options);

export const freshKeys = (count: number): ProjectKey[] => Array.from({ length: count }, freshKey);
