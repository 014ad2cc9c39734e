/** What is captured: documents with two values and three metadata keys each, and references between them. */
import neo4j from "neo4j-driver";
import { nodeKey } from "../drive/write-graph.ts";
import type { Random } from "../random.ts";
import { plan } from "./plan.ts";

/** Something to write: for the API, and as a row of the statement by hand. */
export interface Item {
  readonly item: object;
  readonly row: Readonly<Record<string, unknown>>;
}

/** Makes the items of one kind. */
export interface Kind {
  readonly name: string;
  readonly collection: "nodes" | "relationships";
  next(): Item;
}

const type = "Document";
const relationship = "REFERS_TO";
const id = (n: number): string => `document-${n}`;

const writtenNode = (pk: string, n: number, level: number): Item => {
  const now = new Date().toISOString();
  const metadata = { source: "bench", assurance_level: 2, verified_time: now };
  return {
    item: {
      type,
      external_id: id(n),
      properties: [
        { type: "title", value: `Document ${n}` },
        { type: "level", value: level, metadata },
      ],
    },
    row: {
      k: nodeKey(pk, type, id(n)),
      id: `gid:bench-${pk}-${n}`,
      x: id(n),
      p: {
        title: `Document ${n}`,
        "title.update_time": now,
        level: neo4j.int(level),
        "level.update_time": now,
        "level.metadata.source": "bench",
        "level.metadata.assurance_level": neo4j.int(2),
        "level.metadata.verified_time": now,
      },
    },
  };
};

const reference = (pk: string, a: number, b: number): Item => ({
  item: { source: { type, external_id: id(a) }, type: relationship, target: { type, external_id: id(b) } },
  row: { a: nodeKey(pk, type, id(a)), b: nodeKey(pk, type, id(b)), p: {} },
});

export interface Kinds {
  readonly new: Kind;
  readonly update: Kind;
  readonly relationships: Kind;
}

/** New nodes, nodes of the stock, and references between nodes of the stock that are hardly ever there. */
export const kindsOf = (pk: string, random: Random): Kinds => {
  let made = 0;
  const level = () => 1 + random.integer(1_000_000);
  const stock = () => random.integer(plan.stock);
  return {
    new: { name: "new nodes", collection: "nodes", next: () => writtenNode(pk, made++, level()) },
    update: {
      name: "nodes that are there",
      collection: "nodes",
      next: () => writtenNode(pk, stock(), level()),
    },
    relationships: {
      name: "relationships",
      collection: "relationships",
      next: () => reference(pk, stock(), stock()),
    },
  };
};

/** The statements by hand. Parameters: `rows` and `now`. */
export const statements = (pk: string): Readonly<Record<Kind["collection"], string>> => ({
  nodes: `UNWIND $rows AS row
MERGE (n:_Node {_key: row.k})
ON CREATE SET n:_P__${pk}:${type}__${pk}, n.id = row.id, n.type = "${type}", n.external_id = row.x,
  n.is_identity = false, n.create_time = $now
SET n += row.p, n.update_time = $now
RETURN n.id AS id`,
  relationships: `UNWIND $rows AS row
MATCH (a:_Node {_key: row.a})
MATCH (b:_Node {_key: row.b})
MERGE (a)-[r:${relationship} {_discriminator: ""}]->(b)
ON CREATE SET r._create_time = $now
SET r += row.p, r._update_time = $now
RETURN 1 AS done`,
});

/** A number of items, each once, rows in the order in which locks are taken. */
export const batchOf = (kind: Kind, size: number): readonly Item[] => {
  const key = ({ row }: Item): string => `${String(row["k"])} ${String(row["a"])} ${String(row["b"])}`;
  const items = new Map<string, Item>();
  while (items.size < size) {
    const item = kind.next();
    items.set(key(item), item);
  }
  return [...items].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item);
};
