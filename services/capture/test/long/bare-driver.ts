import { randomBytes } from "node:crypto";
import { newGid } from "@ikg/contracts";
import type { Graph } from "@ikg/graph";
import { newProjectKey } from "@ikg/physical";
import type { BaseSettings } from "@ikg/service";
import neo4j from "neo4j-driver";
import { clearProject } from "../import-project.ts";
import { nodeOf, relationshipOf } from "./rows.ts";

const connections = 4;
const batch = 1_000;
/** Deadlocks between the four are met by the driver's own repetition. */
const slices = (total: number): readonly number[] =>
  Array.from({ length: Math.ceil(total / batch) }, (_, i) => i * batch);

/** Seconds that hand-written UNWIND statements take for the same graph, from four connections of the raw driver. */
export const bareDriver = async (
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
  const fromFour = async (total: number, send: (from: number) => Promise<unknown>): Promise<number> => {
    const begun = performance.now();
    const waiting = [...slices(total)];
    await Promise.all(
      Array.from({ length: connections }, async () => {
        for (let from = waiting.shift(); from !== undefined; from = waiting.shift()) await send(from);
      }),
    );
    return (performance.now() - begun) / 1000;
  };
  const write = async (text: string, params: Record<string, unknown>): Promise<unknown> => {
    const session = driver.session({ database: settings.NEO4J_DATABASE });
    try {
      return await session.executeWrite((tx) => tx.run(text, params));
    } finally {
      await session.close();
    }
  };
  const numbers = (from: number, total: number): number[] =>
    Array.from({ length: Math.min(batch, total - from) }, (_, i) => from + i);
  const key = (ref: { type: string; external_id: string }): string => `${pk}/${ref.type}/${ref.external_id}`;

  const nodeSeconds = await fromFour(nodes, async (from) => {
    const now = new Date().toISOString();
    for (const [type, items] of Map.groupBy(numbers(from, nodes).map(nodeOf), (node) => node.type))
      await write(
        `UNWIND $rows AS row
         MERGE (n:_Node {_key: row.k})
         ON CREATE SET n:_P__${pk}:${type}__${pk}, n.id = row.id, n.type = $type, n.external_id = row.x,
           n.is_identity = false, n.create_time = $now
         SET n += row.p, n.update_time = $now`,
        {
          type,
          now,
          rows: items.map((node) => ({
            k: key(node),
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
  });
  const relationshipSeconds = await fromFour(relationships, async (from) => {
    const now = new Date().toISOString();
    const items = numbers(from, relationships).map((i) => relationshipOf(i, nodes));
    for (const [type, ofType] of Map.groupBy(items, (item) => item.type))
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
            a: key(item.source),
            b: key(item.target),
            p: { since: neo4j.int(Number(item.properties[0]?.value)) },
          })),
        },
      );
  });
  return {
    seconds: { nodes: nodeSeconds, relationships: relationshipSeconds },
    clear: async () => {
      await driver.close();
      await clearProject(graph, { id, pk });
    },
  };
};
