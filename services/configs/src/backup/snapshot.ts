import { collect, type Contents, type NodeHashes, type NodeLine, type RelationshipLine } from "./collect.ts";
import { withWritersHeld } from "./hold-writers.ts";
import type { RawDatabase } from "./source.ts";
import type { Project, Unit } from "./units.ts";

/** How a unit was copied. */
export interface Copied extends Contents {
  readonly unit: string;
  /** Which of its copies in the archive counts; the others changed while they were read. */
  readonly attempt: number;
  /** The moment at which the unit was as it is copied; undefined when it was never found unchanged. */
  readonly consistent_at?: string;
  /** For how long its writers were held. */
  readonly held_ms: number;
}

export interface SnapshotParts {
  readonly database: RawDatabase;
  /** Of what was read before. */
  readonly hashes: NodeHashes;
  readonly write: (line: object) => Promise<void>;
  readonly now: () => Date;
}

/** Copies without holding anybody, while these are likely to succeed. */
const freeAttempts = 5;
const freeMs = 10_000;
const heldAttempts = 3;

/** A copy, and the hashes of its nodes. */
export interface Snapshot {
  readonly copied: Copied;
  readonly hashes: NodeHashes;
}

/** A copy, and whether a second reading found the same. */
const copyOnce = async (
  { database, hashes, write, now }: SnapshotParts,
  unit: Unit,
  attempt: number,
): Promise<Snapshot> => {
  const own: NodeHashes = new Map(hashes);
  await write({ unit: unit.name, attempt });
  const sink = (line: NodeLine | RelationshipLine): Promise<void> => write(line);
  const first = await collect(database, unit, own, sink);
  // Every element was so when it was read first and is so when it is read again: all of them were so at this moment.
  const at = now().toISOString();
  const second = await collect(database, unit, new Map(hashes));
  const isSame =
    first.digest === second.digest &&
    first.nodes === second.nodes &&
    first.relationships === second.relationships;
  const copied = { ...first, unit: unit.name, attempt, held_ms: 0 };
  return { copied: isSame ? { ...copied, consistent_at: at } : copied, hashes: own };
};

/**
 * Copies a unit as it is at one moment, while others write to it: until two readings, one after the other, find the same.
 * Where writers come too often for that they are held while it is read.
 */
export const copyUnit = async (parts: SnapshotParts, unit: Unit, project?: Project): Promise<Snapshot> => {
  const began = performance.now();
  let attempt = 0;
  let last: Snapshot;
  do {
    last = await copyOnce(parts, unit, attempt);
    attempt += 1;
    if (last.copied.consistent_at !== undefined) return last;
  } while (attempt < freeAttempts && performance.now() - began < freeMs);
  if (project === undefined) return last;
  for (let held = 0; held < heldAttempts; held++) {
    const from = performance.now();
    const number = attempt;
    attempt += 1;
    const taken = await withWritersHeld(parts.database, project, () => copyOnce(parts, unit, number));
    if (taken === undefined) continue;
    last = { ...taken, copied: { ...taken.copied, held_ms: Math.round(performance.now() - from) } };
    if (last.copied.consistent_at !== undefined) return last;
  }
  return last;
};
