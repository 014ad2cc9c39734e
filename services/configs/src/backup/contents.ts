import {
  type Element,
  hashOf,
  type NodeLine,
  nodesOf,
  type RelationshipLine,
  relationshipsOf,
} from "./elements.ts";
import type { RawDatabase } from "./source.ts";
import type { Unit } from "./units.ts";

/** What a unit held: equal digests are equal contents, whatever the order. */
export interface Contents {
  readonly nodes: number;
  readonly relationships: number;
  readonly digest: string;
  /** Relationships one of whose ends is in no unit that was read. */
  readonly loose: number;
}

/** Hashes of nodes by their numbers: relationships are identified by what they connect, not by numbers that a restore changes. */
export type NodeHashes = Map<string, string>;

const modulus = 1n << 128n;

const numberOf = (hash: string): bigint =>
  BigInt(`0x${Buffer.from(hash, "base64url").toString("hex")}`) % modulus;

/**
 * Adds up the elements of a unit; its nodes come before its relationships.
 *
 * @param hashes of what was read before, to which its nodes are added.
 */
export const openContents = (hashes: NodeHashes) => {
  let [sum, nodes, relationships, loose] = [0n, 0, 0, 0];
  return {
    node: ({ id, hash }: Element<NodeLine>): void => {
      hashes.set(id, hash);
      sum += numberOf(hash);
      nodes += 1;
    },
    /** @returns false when one of its ends was not read. */
    relationship: ({ line }: Element<RelationshipLine>): boolean => {
      const [start, end, type, properties] = line.r;
      const [from, to] = [hashes.get(start), hashes.get(end)];
      if (from === undefined || to === undefined) {
        loose += 1;
        return false;
      }
      sum += numberOf(hashOf(JSON.stringify([from, to, type, properties])));
      relationships += 1;
      return true;
    },
    result: (): Contents => ({ nodes, relationships, digest: (sum % modulus).toString(16), loose }),
  };
};

/**
 * Reads a unit once.
 *
 * @param hashes as for `openContents`.
 * @param sink takes each line; undefined to compare alone.
 */
export const readContents = async (
  database: RawDatabase,
  unit: Unit,
  hashes: NodeHashes,
  sink?: (line: NodeLine | RelationshipLine) => Promise<void>,
): Promise<Contents> => {
  const contents = openContents(hashes);
  for await (const node of nodesOf(database, unit)) {
    contents.node(node);
    await sink?.(node.line);
  }
  for await (const relationship of relationshipsOf(database, unit))
    if (contents.relationship(relationship)) await sink?.(relationship.line);
  return contents.result();
};
