import { canonical, organizationField, recordField } from "@ikg/audit";
import { isJsonObject } from "@ikg/contracts";

/** An entry of a stream, as Redis answers it. */
export type Entry = readonly [id: string, fields: readonly string[]];

/** Events of a batch at most, and bytes of them. */
export const mostEvents = 256;
export const mostBytes = 1024 * 1024;

/** What one batch is made of. */
export interface Cut {
  /** Canonical texts of the events. */
  readonly events: readonly string[];
  /** Id of the last entry. */
  readonly position: string;
  readonly organization: string;
  /** Nothing more would fit, so there is nothing to wait for. */
  readonly full: boolean;
  /** Length of the events, in bytes. */
  readonly bytes: number;
  /** Ids of entries that hold no record. */
  readonly unreadable: readonly string[];
}

export const fieldOf = (fields: readonly string[], name: string): string | undefined => {
  const at = fields.findIndex((field, index) => index % 2 === 0 && field === name);
  return at < 0 ? undefined : fields[at + 1];
};

const eventOf = (fields: readonly string[]): string | undefined => {
  try {
    const record: unknown = JSON.parse(fieldOf(fields, recordField) ?? "");
    return isJsonObject(record) ? canonical(record) : undefined;
  } catch {
    return undefined;
  }
};

/**
 * Cuts a batch off the beginning of a stream: at most 256 events and 1 MiB.
 *
 * @param before canonical texts of events that the batch begins with.
 */
export const cutBatch = (entries: readonly Entry[], before: readonly string[] = []): Cut => {
  const events = [...before];
  const unreadable: string[] = [];
  let position = "0-0";
  let organization = "";
  let bytes = before.reduce((sum, event) => sum + Buffer.byteLength(event), 0);
  let full = false;
  for (const [id, fields] of entries) {
    const event = eventOf(fields);
    const size = event === undefined ? 0 : Buffer.byteLength(event);
    if (events.length >= mostEvents || (events.length > before.length && bytes + size > mostBytes)) {
      full = true;
      break;
    }
    if (event === undefined) unreadable.push(id);
    else events.push(event);
    bytes += size;
    position = id;
    organization ||= fieldOf(fields, organizationField) ?? "";
  }
  full ||= events.length >= mostEvents;
  return { events, position, organization, full, bytes, unreadable };
};

/** Ids of the entries up to one of them. */
export const idsUpTo = (entries: readonly Entry[], position: string): readonly string[] => {
  const ids = entries.map(([id]) => id);
  return ids.slice(0, ids.indexOf(position) + 1);
};
