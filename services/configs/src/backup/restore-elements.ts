import { quoteName } from "@ikg/physical";
import type { RawDatabase } from "./source.ts";
import { decodedProperties, type Json } from "./values.ts";

/** Rows of one transaction at most, and characters of their properties. */
const mostRows = 1_000;
const mostCharacters = 4_000_000;

const createNodes = (labels: readonly string[]): string =>
  [
    `UNWIND $rows AS row CREATE (n:${labels.map(quoteName).join(":")})`,
    "SET n = row.p RETURN row.i AS i, elementId(n) AS e",
  ].join(" ");
const createRelationships = (type: string): string =>
  [
    "UNWIND $rows AS row MATCH (a) WHERE elementId(a) = row.s MATCH (b) WHERE elementId(b) = row.t",
    `CREATE (a)-[r:${quoteName(type)}]->(b) SET r = row.p RETURN count(r) AS made`,
  ].join(" ");

interface Group {
  readonly rows: Record<string, unknown>[];
  characters: number;
}

/** Writes elements in batches of those that one statement makes. */
const batches = (write: (kind: string, rows: Group["rows"]) => Promise<void>) => {
  const groups = new Map<string, Group>();
  const flush = async (kind: string): Promise<void> => {
    const group = groups.get(kind);
    groups.delete(kind);
    if (group !== undefined) await write(kind, group.rows);
  };
  return {
    add: async (kind: string, row: Record<string, unknown>, characters: number): Promise<void> => {
      const group = groups.get(kind) ?? { rows: [], characters: 0 };
      groups.set(kind, group);
      group.rows.push(row);
      group.characters += characters;
      if (group.rows.length >= mostRows || group.characters >= mostCharacters) await flush(kind);
    },
    flush: async (): Promise<void> => {
      for (const kind of groups.keys()) await flush(kind);
    },
  };
};

/** Writes elements of a backup. */
export interface ElementWriter {
  node(id: string, labels: readonly string[], properties: Json): Promise<void>;
  /** Its ends were written before. */
  relationship(start: string, end: string, type: string, properties: Json): Promise<void>;
  flush(): Promise<void>;
}

/** @param known ids of the database by those of the archive; nodes that are written are added. */
export const elementWriter = (database: RawDatabase, known: Map<string, string>): ElementWriter => {
  const nodes = batches((labels, rows) =>
    database.write(async (tx) => {
      const result = await tx.run(createNodes(JSON.parse(labels) as string[]), { rows });
      for (const record of result.records) known.set(String(record.get("i")), String(record.get("e")));
    }),
  );
  const relationships = batches(async (type, rows) => {
    await database.write((tx) => tx.run(createRelationships(type), { rows }));
  });
  const idOf = (id: string): string => {
    const found = known.get(id);
    if (found === undefined) throw new Error("a relationship of the backup has an end that is not in it");
    return found;
  };
  let hasNodes = false;
  return {
    node: async (id, labels, properties) => {
      hasNodes = true;
      const row = { i: id, p: decodedProperties(properties) };
      await nodes.add(JSON.stringify(labels), row, JSON.stringify(properties).length);
    },
    relationship: async (start, end, type, properties) => {
      if (hasNodes) await nodes.flush();
      hasNodes = false;
      const row = { s: idOf(start), t: idOf(end), p: decodedProperties(properties) };
      await relationships.add(type, row, JSON.stringify(properties).length);
    },
    flush: async () => {
      await nodes.flush();
      await relationships.flush();
    },
  };
};
