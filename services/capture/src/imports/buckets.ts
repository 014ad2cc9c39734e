import { crc32 } from "node:zlib";

/** Partitions of a graph for writers: every node belongs to one, by its key. */
export const partitions = 8;

/** The partition of a node. */
export const partitionOf = (key: string): number => crc32(key) % partitions;

/** Rows that one writer writes in their order, and the partitions whose nodes they touch. */
export interface Bucket {
  readonly number: number;
  readonly partitions: readonly number[];
}

/** Buckets of nodes: one for each partition. */
export const nodeBuckets: readonly Bucket[] = Array.from({ length: partitions }, (_, partition) => ({
  number: partition,
  partitions: [partition],
}));

/** The number of the bucket of relationships between two partitions, in whichever direction. */
export const relationshipBucket = (a: number, b: number): number =>
  partitions + Math.min(a, b) * partitions + Math.max(a, b);

/** The pairs of one round of a tournament in which every player meets every other once: the first one stays, the others turn. */
const pairsOf = (round: number): readonly (readonly [number, number])[] => {
  const others = partitions - 1;
  const at = (place: number): number => (place === 0 ? 0 : 1 + ((place - 1 + round) % others));
  return Array.from({ length: partitions / 2 }, (_, place) => [at(place), at(others - place)] as const);
};

/**
 * Buckets of relationships in an order in which neighbours share no partition: the rounds of a tournament, then each
 * partition with itself.
 */
export const relationshipBuckets: readonly Bucket[] = [
  ...Array.from({ length: partitions - 1 }, (_, round) => pairsOf(round)).flat(),
  ...Array.from({ length: partitions }, (_, partition) => [partition, partition] as const),
].map(([a, b]) => ({ number: relationshipBucket(a, b), partitions: [...new Set([a, b])] }));

/** True for a bucket of nodes. */
export const holdsNodes = (bucket: number): boolean => bucket < partitions;
