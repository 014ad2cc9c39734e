import { type ChangeAnnouncement, newUuid } from "@ikg/contracts";
import type { Transaction } from "@ikg/graph";
import { outboxLabel } from "@ikg/physical";

/** Announcements as they are stored with their change, so that a killed process loses none. */
export interface StoredAnnouncements {
  readonly id: string;
  readonly changes: readonly ChangeAnnouncement[];
}

/**
 * How long the process that committed a change has to publish it before another process does. Even when that one is killed at it, a third
 * one publishes it within 2 s, in which every process knows of a revocation.
 */
const leaseMs = 500;

/** Announcements of one node at most. */
const mostOfOne = 500;

// The clock of the database judges both the lease and its end: those of the processes may differ.
const createText = `UNWIND $entries AS entry CREATE (o:${outboxLabel}) SET o = entry, o.due = timestamp() + ${leaseMs}`;

/** Stores announcements in the transaction of their change. */
export const storeAnnouncements = async (
  tx: Transaction,
  changes: readonly ChangeAnnouncement[],
): Promise<readonly StoredAnnouncements[]> => {
  const stored = Array.from({ length: Math.ceil(changes.length / mostOfOne) }, (_, index) => ({
    id: newUuid(),
    changes: changes.slice(index * mostOfOne, (index + 1) * mostOfOne),
  }));
  const entries = stored.map((each) => ({ id: each.id, announcements: JSON.stringify(each.changes) }));
  if (entries.length > 0) await tx.run(createText, { entries });
  return stored;
};

/** Announcements from the properties of their node, which `storeAnnouncements` wrote. */
export const announcementsOf = (properties: unknown): StoredAnnouncements => {
  const { id, announcements } = properties as Readonly<Record<string, string>>;
  return {
    id: id ?? "",
    changes: JSON.parse(announcements ?? "[]") as readonly ChangeAnnouncement[],
  };
};
