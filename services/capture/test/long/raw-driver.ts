import { randomBytes } from "node:crypto";
import { newGid } from "@ikg/contracts";
import type { Graph } from "@ikg/graph";
import { newProjectKey, type ProjectKey } from "@ikg/physical";
import type { BaseSettings } from "@ikg/service";
import neo4j from "neo4j-driver";
import { clearProject } from "../import-project.ts";
import { nodeOf, relationshipOf } from "./rows.ts";

const connections = 4;
const batch = 1_000;

/** Sends batches from four connections. @returns the seconds that all of them took */
const sendBatches = async (total: number, send: (from: number) => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  const waiting = Array.from({ length: Math.ceil(total / batch) }, (_, i) => i * batch);
  await Promise.all(
    Array.from({ length: connections }, async () => {
      for (let from = waiting.shift(); from !== undefined; from = waiting.shift()) await send(from);
    }),
  );
  return (performance.now() - began) / 1000;
};

const numbers = (from: number, total: number): number[] =>
  Array.from({ length: Math.min(batch, total - from) }, (_, i) => from + i);

const keyOf = (pk: ProjectKey, ref: { type: string; external_id: string }): string =>
  `${pk}/${ref.type}/${ref.external_id}`;

type Write = (text: string, params: Record<string, unknown>) => Promise<unknown>;

const writeNodes = async (write: Write, pk: ProjectKey, items: readonly number[]): Promise<void> => {
  const now = new Date().toISOString();
  for (const [type, ofType] of Map.groupBy(items.map(nodeOf), (node) => node.type))
    await write(
      `UNWIND $rows AS row
       MERGE (n:_Node {_key: row.k})
       ON CREATE SET n:_P__${pk}:${type}__${pk}, n.id = row.id, n.type = $type, n.external_id = row.x,
         n.is_identity = false, n.create_time = $now
       SET n += row.p, n.update_time = $now`,
      {
        type,
        now,
        rows: ofType.map((node) => ({
          k: keyOf(pk, node),
          x: node.external_id,
          id: newGid("node"),
          p: {
            name: node.properties[0]?.value,
            "name.update_time": now,
            age: neo4j.int(Number(node.properties[1]?.value)),
            "age.update_time": now,
          },
        })),
      },
    );
};

const writeRelationships = async (
  write: Write,
  pk: ProjectKey,
  items: readonly number[],
  nodes: number,
): Promise<void> => {
  const now = new Date().toISOString();
  const relationships = items.map((i) => relationshipOf(i, nodes));
  for (const [type, ofType] of Map.groupBy(relationships, (item) => item.type))
    await write(
      `UNWIND $rows AS row
       MATCH (a:_Node {_key: row.a})
       MATCH (b:_Node {_key: row.b})
       MERGE (a)-[r:${type} {_discriminator: ''}]->(b)
       ON CREATE SET r._create_time = $now
       SET r += row.p, r._update_time = $now`,
      {
        now,
        rows: ofType.map((item) => ({
          a: keyOf(pk, item.source),
          b: keyOf(pk, item.target),
          p: { since: neo4j.int(Number(item.properties[0]?.value)) },
        })),
      },
    );
};

/**
 * Seconds that hand-written UNWIND statements take for the same graph, from four connections of the raw driver, which
 * repeats what ends in a deadlock between them.
 */
export const measureRawDriver = async (
  settings: BaseSettings,
  graph: Graph,
  nodes: number,
  relationships: number,
): Promise<{
  readonly seconds: { readonly nodes: number; readonly relationships: number };
  readonly clear: () => Promise<void>;
}> => {
  const pk = newProjectKey(randomBytes(8));
  const id = newGid("project");
  const driver = neo4j.driver(
    settings.NEO4J_URI,
    neo4j.auth.basic(settings.NEO4J_USERNAME, settings.NEO4J_PASSWORD),
    { disableLosslessIntegers: true },
  );
  const write: Write = async (text, params) => {
    const session = driver.session({ database: settings.NEO4J_DATABASE });
    try {
      return await session.executeWrite((tx) => tx.run(text, params));
    } finally {
      await session.close();
    }
  };
  const nodeSeconds = await sendBatches(nodes, (from) => writeNodes(write, pk, numbers(from, nodes)));
  const relationshipSeconds = await sendBatches(relationships, (from) =>
    writeRelationships(write, pk, numbers(from, relationships), nodes),
  );
  return {
    seconds: { nodes: nodeSeconds, relationships: relationshipSeconds },
    clear: async () => {
      await driver.close();
      await clearProject(graph, { id, pk });
    },
  };
};
