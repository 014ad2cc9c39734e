/**
 * Writes a graph by the raw driver, as the capture service leaves it in the database: a
 * million nodes by the API would be most of a measurement of something else.
 */
import { randomBytes } from "node:crypto";
import neo4j, { type Driver } from "neo4j-driver";
import { inParallel } from "../../../stack/src/measurement/in-parallel.ts";
import { externalId, type Graph, type NodeGroup, type RelationshipGroup } from "./graph.ts";

const batch = 5_000;

/** Two writers: the machine has two cores, and the database does most of the work. */
const writers = 2;

const gid = (): string => `gid:${randomBytes(20).toString("base64url")}`;

export const nodeKey = (pk: string, type: string, id: string): string => `${pk}/${type}/${id}`;

const createNodes = (pk: string, type: string): string => `UNWIND $rows AS row
CREATE (n:_Node:_P__${pk}:${type}__${pk})
SET n = row, n.type = $type, n.is_identity = $identity, n.create_time = $now, n.update_time = $now`;

const createRelationships = (type: string): string => `UNWIND $rows AS row
MATCH (a:_Node {_key: row.a})
MATCH (b:_Node {_key: row.b})
CREATE (a)-[:${type} {_discriminator: "", _create_time: $now, _update_time: $now}]->(b)`;

type Send = (text: string, params: Readonly<Record<string, unknown>>) => Promise<unknown>;

type Slice = readonly [from: number, to: number];

const inSlices = (count: number, write: (slice: Slice) => Promise<unknown>): Promise<unknown> => {
  const slices = Array.from({ length: Math.ceil(count / batch) }, (_, at): Slice => [
    at * batch,
    Math.min(count, (at + 1) * batch),
  ]);
  return inParallel(slices, write, writers);
};

const writeNodes = (send: Send, pk: string, group: NodeGroup, now: string): Promise<unknown> =>
  inSlices(group.count, ([from, to]) => {
    const rows = Array.from({ length: to - from }, (_, i) => {
      const id = externalId(group.type, from + i);
      const fields: Record<string, unknown> = {
        _key: nodeKey(pk, group.type, id),
        id: gid(),
        external_id: id,
      };
      for (const [name, value] of Object.entries(group.properties(from + i))) {
        fields[name] = typeof value === "number" ? neo4j.int(value) : value;
        fields[`${name}.update_time`] = now;
      }
      return fields;
    });
    const identity = group.type === "Person";
    return send(createNodes(pk, group.type), { rows, type: group.type, identity, now });
  });

const writeRelationships = (
  send: Send,
  pk: string,
  { type, source, target, pairs }: RelationshipGroup,
  now: string,
): Promise<unknown> =>
  inSlices(pairs.length, ([from, to]) => {
    const rows = pairs.slice(from, to).map(([a, b]) => ({
      a: nodeKey(pk, source, externalId(source, a)),
      b: nodeKey(pk, target, externalId(target, b)),
    }));
    return send(createRelationships(type), { rows, now });
  });

/** Fills the empty project of this key. */
export const writeGraph = async (driver: Driver, pk: string, graph: Graph): Promise<void> => {
  const now = new Date().toISOString();
  // Tried again by the driver when two writers lock each other's nodes.
  const send: Send = (text, params) => driver.executeQuery(text, params, { database: "neo4j" });
  for (const group of graph.nodes) await writeNodes(send, pk, group, now);
  for (const group of graph.relationships) await writeRelationships(send, pk, group, now);
};
