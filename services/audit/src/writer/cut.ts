import type { WaitingItem } from "../store/waiting-item.ts";

/** Limits of one batch: events, and bytes of them. */
export const maxBatchEvents = 256;
export const maxBatchBytes = 1024 * 1024;

/** The contents of one batch. */
export interface Cut {
  /** Canonical texts of the events. */
  readonly events: readonly string[];
  /** Ids of the stream entries that it takes, in order, and keys of the stored records. */
  readonly entries: readonly string[];
  readonly outbox: readonly string[];
  /** Nothing more would fit, so there is nothing to wait for. */
  readonly full: boolean;
  /** Length of the events, in bytes. */
  readonly bytes: number;
  /** Of the items that hold no record. */
  readonly unreadable: readonly string[];
}

/** Length of events, in bytes. */
export const bytesOf = (events: readonly string[]): number =>
  events.reduce((sum, event) => sum + Buffer.byteLength(event), 0);

/**
 * Takes a batch of whole items from the beginning of the waiting ones: at most 256 events and 1 MiB.
 *
 * @param before canonical texts of events that the batch begins with.
 */
export const cutBatch = (items: readonly WaitingItem[], before: readonly string[] = []): Cut => {
  const events = [...before];
  const taken = { stream: [] as string[], outbox: [] as string[] };
  const unreadable: string[] = [];
  let bytes = bytesOf(before);
  let full = false;
  for (const item of items) {
    const size = bytesOf(item.events);
    const isOver = events.length + item.events.length > maxBatchEvents || bytes + size > maxBatchBytes;
    if (isOver && events.length > before.length) {
      full = true;
      break;
    }
    if (item.events.length === 0) unreadable.push(item.id);
    events.push(...item.events);
    bytes += size;
    taken[item.source].push(item.id);
  }
  full ||= events.length >= maxBatchEvents;
  return { events, entries: taken.stream, outbox: taken.outbox, full, bytes, unreadable };
};
