import { createHash } from "node:crypto";
import type { RawDatabase } from "./source.ts";
import type { Unit } from "./units.ts";
import { encodedProperties, type Json } from "./values.ts";

/** Lines of a backup: a node with its number, labels and properties; a relationship with the numbers of its ends. */
export type NodeLine = { readonly n: readonly [id: string, labels: readonly string[], properties: Json] };
export type RelationshipLine = {
  readonly r: readonly [start: string, end: string, type: string, properties: Json];
};

/** What a unit held: equal digests are equal contents, whatever the order. */
export interface Contents {
  readonly nodes: number;
  readonly relationships: number;
  readonly digest: string;
  /** Relationships one of whose ends is in no unit that was read. */
  readonly loose: number;
}

/** Hashes of nodes by their numbers: relationships are told by what they connect, not by numbers that a restore changes. */
export type NodeHashes = Map<string, string>;

const modulus = 1n << 128n;

const hashOf = (text: string): string => createHash("sha256").update(text).digest("base64url").slice(0, 22);
const numberOf = (hash: string): bigint =>
  BigInt(`0x${Buffer.from(hash, "base64url").toString("hex")}`) % modulus;

/** The number of an element in its store; the rest of its id is the same for all of a database. */
const shortId = (elementId: unknown): string => {
  const id = String(elementId);
  return id.slice(id.lastIndexOf(":") + 1);
};

/**
 * Reads a unit.
 *
 * @param hashes of what was read before, to which its nodes are added.
 * @param sink takes each line; undefined to compare alone.
 */
export const collect = async (
  database: RawDatabase,
  unit: Unit,
  hashes: NodeHashes,
  sink?: (line: NodeLine | RelationshipLine) => Promise<void>,
): Promise<Contents> => {
  let sum = 0n;
  const own = new Set<string>();
  for (const { text, params } of unit.nodes)
    for await (const { e, l, p } of database.stream(text, params)) {
      const id = shortId(e);
      // A node with several labels comes once for each.
      if (own.has(id)) continue;
      own.add(id);
      const labels = (l as string[]).toSorted();
      const properties = encodedProperties(p as Record<string, unknown>);
      const hash = hashOf(JSON.stringify([labels, properties]));
      hashes.set(id, hash);
      sum += numberOf(hash);
      await sink?.({ n: [id, labels, properties] });
    }
  let [relationships, loose] = [0, 0];
  const read = new Set<string>();
  for (const { text, params } of unit.relationships)
    for await (const { e, s, t, y, p } of database.stream(text, params)) {
      if (unit.overlaps) {
        if (read.has(shortId(e))) continue;
        read.add(shortId(e));
      }
      const [start, end, type] = [shortId(s), shortId(t), String(y)];
      const [from, to] = [hashes.get(start), hashes.get(end)];
      if (from === undefined || to === undefined) {
        loose += 1;
        continue;
      }
      const properties = encodedProperties(p as Record<string, unknown>);
      sum += numberOf(hashOf(JSON.stringify([from, to, type, properties])));
      relationships += 1;
      await sink?.({ r: [start, end, type, properties] });
    }
  return { nodes: own.size, relationships, digest: (sum % modulus).toString(16), loose };
};
