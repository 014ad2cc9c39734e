import type { AuditRecord } from "@ikg/audit";
import { type ChangeAnnouncement, type Gid, newUuid } from "@ikg/contracts";
import type { Transaction } from "@ikg/graph";
import { outboxLabel } from "@ikg/physical";

/** What is delivered once a change is committed: it is stored with the change, so that a killed process loses nothing. */
export interface OutboxEntry {
  readonly id: string;
  readonly organizationId: Gid;
  readonly announcements: readonly ChangeAnnouncement[];
  readonly records: readonly AuditRecord[];
}

/** How long whoever committed a change, or took an entry over, has to deliver it before another process does. */
export const leaseMs = 5_000;

const createText = `CREATE (o:${outboxLabel}) SET o = $entry`;

/** Stores an entry in the transaction of its change. */
export const writeOutbox = async (
  tx: Transaction,
  content: Omit<OutboxEntry, "id">,
  now: number,
): Promise<OutboxEntry> => {
  const entry = { id: newUuid(now), ...content };
  const { id, organizationId, announcements, records } = entry;
  await tx.run(createText, {
    entry: {
      id,
      organization_id: organizationId,
      announcements: JSON.stringify(announcements),
      records: JSON.stringify(records),
      due: now + leaseMs,
    },
  });
  return entry;
};

/** An entry from the properties of its node; only this service writes them. */
export const entryOf = (properties: unknown): OutboxEntry => {
  const { id, organization_id, announcements, records } = properties as Readonly<Record<string, string>>;
  return {
    id: id ?? "",
    organizationId: organization_id as Gid,
    announcements: JSON.parse(announcements ?? "[]") as readonly ChangeAnnouncement[],
    records: JSON.parse(records ?? "[]") as readonly AuditRecord[],
  };
};
