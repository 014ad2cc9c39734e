import type { AuditRecord, IkgAdmin } from "@ikg/client";
import type { RecordPlace } from "../records/record-row.ts";

export interface FoundRecord {
  readonly record: AuditRecord;
  readonly place: RecordPlace;
}

/** The time within a UUID of version 7 (RFC 9562), in milliseconds; undefined for another text. */
export const timeOfId = (id: string): number | undefined =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i.test(id)
    ? Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16)
    : undefined;

const minuteMs = 60_000;

/** Where a record is looked for, after the time at which it was made: at first where almost all are. */
const searches = [
  { beforeMs: 5_000, afterMs: minuteMs },
  { beforeMs: 5 * minuteMs, afterMs: 24 * 60 * minuteMs },
] as const;

const maxPages = 40;

/** A record by its id, which has its time; undefined for one that is not in a signed batch. */
export const findRecord = async (
  admin: IkgAdmin,
  id: string,
  signal: AbortSignal,
): Promise<FoundRecord | undefined> => {
  const time = timeOfId(id);
  if (time === undefined) return undefined;
  for (const { beforeMs, afterMs } of searches) {
    const range = { since: new Date(time - beforeMs), until: new Date(time + afterMs) };
    let pages = 0;
    for await (const { items } of admin.audit.batches({ ...range, pageSize: 25, signal }).pages()) {
      for (const { data, ...place } of items) {
        const record = data.find((each) => each.id === id);
        if (record !== undefined) return { record, place };
      }
      if (++pages === maxPages) break;
    }
  }
  return undefined;
};
