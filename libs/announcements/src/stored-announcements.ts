import { type ChangeAnnouncement, newUuid } from "@ikg/contracts";
import type { Transaction } from "@ikg/graph";
import { outboxLabel } from "@ikg/physical";

/** Announcements as they are stored with their change, so that a killed process loses none. */
export interface StoredAnnouncements {
  readonly id: string;
  readonly changes: readonly ChangeAnnouncement[];
}

/**
 * Time in which the process that committed a change publishes it before another process does. Even if that one is killed, a third
 * one publishes it within 2 s, the limit for a revocation to take effect.
 */
const leaseMs = 500;

/** Announcements of one node at most. */
const maxPerNode = 500;

// The clock of the database sets and compares the due time, since clocks of processes may differ.
const createText = `UNWIND $entries AS entry CREATE (o:${outboxLabel}) SET o = entry, o.due = timestamp() + ${leaseMs}`;

/** Stores announcements in the transaction of their change. */
export const storeAnnouncements = async (
  tx: Transaction,
  changes: readonly ChangeAnnouncement[],
): Promise<readonly StoredAnnouncements[]> => {
  const stored = Array.from({ length: Math.ceil(changes.length / maxPerNode) }, (_, index) => ({
    id: newUuid(),
    changes: changes.slice(index * maxPerNode, (index + 1) * maxPerNode),
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
