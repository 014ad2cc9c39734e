import { createHash } from "node:crypto";
import type { RawDatabase, RawRow } from "./source.ts";
import type { Unit } from "./units.ts";
import { encodedProperties, type Json } from "./values.ts";

/** Lines of a backup: a node with its number, labels and properties; a relationship with the numbers of its ends. */
export type NodeLine = { readonly n: readonly [id: string, labels: readonly string[], properties: Json] };
export type RelationshipLine = {
  readonly r: readonly [start: string, end: string, type: string, properties: Json];
};

/** An element of a unit as it was read. */
export interface Element<Line> {
  /** The number of it in its store. */
  readonly id: string;
  readonly line: Line;
  /** Equal ones are equal elements. */
  readonly hash: string;
  /** When it was written, as writers of nodes note it; undefined where it says nothing of it. */
  readonly stamp?: string;
}

export const hashOf = (text: string): string =>
  createHash("sha256").update(text).digest("base64url").slice(0, 22);

/** The number of an element in its store; the rest of its id is the same for all of a database. */
export const shortId = (elementId: unknown): string => {
  const id = String(elementId);
  return id.slice(id.lastIndexOf(":") + 1);
};

export const nodeColumns = "RETURN elementId(n) AS e, labels(n) AS l, properties(n) AS p";
export const relationshipColumns =
  "RETURN elementId(r) AS e, elementId(startNode(r)) AS s, elementId(endNode(r)) AS t, type(r) AS y, properties(r) AS p";

export const stampOf = (time: unknown): { readonly stamp?: string } =>
  typeof time === "string" ? { stamp: time } : {};

export const nodeOf = ({ e, l, p }: RawRow): Element<NodeLine> => {
  const [id, labels] = [shortId(e), (l as string[]).toSorted()]; // labels of a node
  const properties = encodedProperties(p as Record<string, unknown>);
  const hash = hashOf(JSON.stringify([labels, properties]));
  return { id, line: { n: [id, labels, properties] }, hash, ...stampOf((p as RawRow)["update_time"]) };
};

export const relationshipOf = ({ e, s, t, y, p }: RawRow): Element<RelationshipLine> => {
  const r = [shortId(s), shortId(t), String(y), encodedProperties(p as Record<string, unknown>)] as const;
  return { id: shortId(e), line: { r }, hash: hashOf(JSON.stringify(r)) };
};

/** The nodes of a unit: one with several labels is found once for each, and comes once. */
export async function* nodesOf(database: RawDatabase, unit: Unit): AsyncGenerator<Element<NodeLine>> {
  const read = new Set<string>();
  for (const { match, params } of unit.nodes)
    for await (const row of database.stream(`MATCH ${match} ${nodeColumns}`, params)) {
      const id = shortId(row["e"]);
      if (read.has(id)) continue;
      read.add(id);
      yield nodeOf(row);
    }
}

/** The relationships of a unit, each once. */
export async function* relationshipsOf(
  database: RawDatabase,
  unit: Unit,
): AsyncGenerator<Element<RelationshipLine>> {
  const read = new Set<string>();
  for (const { match, params } of unit.relationships)
    for await (const row of database.stream(`MATCH ${match} ${relationshipColumns}`, params)) {
      if (unit.overlaps) {
        const id = shortId(row["e"]);
        if (read.has(id)) continue;
        read.add(id);
      }
      yield relationshipOf(row);
    }
}
