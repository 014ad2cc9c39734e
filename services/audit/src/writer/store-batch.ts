import { removeEntries } from "@ikg/audit";
import { itemOfEntry, mergeByTime, type WaitingItem } from "../store/waiting-item.ts";
import { append } from "./append.ts";
import { bytesOf, type Cut, cutBatch, maxBatchEvents } from "./cut.ts";
import type { Turn } from "./fair-turns.ts";
import { type OpenChain, takeChain } from "./open-chain.ts";
import { ownRecords } from "./own-records.ts";
import { readEntries } from "./read.ts";
import { openBatch, sealBatch, spillKey } from "./sealed-batch.ts";
import { signingKeyOf } from "./sign.ts";
import type { ChainTurn, PendingRecords } from "./waiting-records.ts";

/** A turn in which nothing was due, or nothing could be done. */
export const emptyTurn: ChainTurn = {
  bytes: 0,
  more: false,
  isUnsigned: true,
  consumed: { records: 0, bytes: 0 },
};

/** @param own the events of a batch that did not wait. */
const consumedRecords = (
  { events, unreadable, bytes }: Cut,
  own: readonly string[] = [],
): PendingRecords => ({
  records: events.length - own.length + unreadable.length,
  bytes: bytes - bytesOf(own),
});

/** The first waiting items of a chain. */
const readWaiting = async (
  chain: OpenChain,
): Promise<{ readonly items: readonly WaitingItem[]; readonly cut: Cut }> => {
  const { parts, project } = chain;
  const [{ entries, full }, outbox] = await Promise.all([
    readEntries(parts.redis, project),
    parts.chains.outbox(project, maxBatchEvents),
  ]);
  const items = mergeByTime(entries.map(itemOfEntry), outbox);
  const cut = cutBatch(items);
  return { items, cut: { ...cut, full: cut.full || full } };
};

/** Stored records need not wait any longer; when this fails, the next writer of the chain removes them. */
const removeTaken = async ({ parts, project }: OpenChain, { entries, unreadable }: Cut): Promise<void> => {
  for (const entry of unreadable)
    parts.log.error("an unreadable audit entry was skipped", { audit_lost: true, project, entry });
  if (entries.length > 0) await removeEntries(parts.redis, project, entries);
};

/** Stores the first waiting records, with the writer's own before them. */
const storeBatch = async (chain: OpenChain, items: readonly WaitingItem[], cut: Cut): Promise<ChainTurn> => {
  const { parts, project } = chain;
  const streams = parts.streams();
  const key = await signingKeyOf(parts, project);
  const own = ownRecords(chain, key, await takeChain(chain), streams);
  const whole = own.length === 0 ? cut : cutBatch(items, own);
  if (whole.events.length === 0) return emptyTurn;
  await append(chain, key, { events: `[${whole.events.join(",")}]`, streams, cut: whole });
  parts.metrics.stored(whole.events.length);
  await removeTaken(chain, whole);
  return { bytes: whole.bytes, more: whole.full, consumed: consumedRecords(whole, own) };
};

/**
 * Signs and stores a batch of the records that wait; entries without a record are removed.
 *
 * @param hasReplacedStreams the chain records that its streams were replaced even where no record waits
 */
export const storeWaiting = async (chain: OpenChain, hasReplacedStreams: boolean): Promise<ChainTurn> => {
  const { items, cut } = await readWaiting(chain);
  if (cut.events.length > 0 || hasReplacedStreams) return storeBatch(chain, items, cut);
  await removeTaken(chain, cut);
  return { bytes: 0, more: cut.entries.length > 0, isUnsigned: true, consumed: consumedRecords(cut) };
};

/**
 * Signs and stores the first sealed batch of a chain, after a batch of the writer's own records, which may not fit into the
 * sealed one.
 */
export const storeSpilled = async (chain: OpenChain): Promise<Turn> => {
  const { parts, project } = chain;
  const streams = parts.streams();
  const state = await takeChain(chain);
  const key = await signingKeyOf(parts, project);
  const own = ownRecords(chain, key, state, streams);
  if (own.length > 0) {
    await append(chain, key, { events: `[${own.join(",")}]`, streams });
    parts.metrics.stored(own.length);
  }
  const [spilled] = await parts.chains.spilled([spillKey(state, 0)]);
  if (spilled === undefined) throw new Error("a sealed batch of an audit chain is missing");
  await append(chain, key, { events: await openBatch(parts.keys, spilled), streams, spilled });
  parts.metrics.stored(spilled.records);
  return { bytes: spilled.bytes, more: true };
};

/** Seals waiting records in the database, after those sealed before, so that they do not fill Redis until they can be signed. */
export const spill = async (chain: OpenChain): Promise<ChainTurn> => {
  const { parts } = chain;
  const state = await takeChain(chain);
  if (state.spill.bytes >= parts.settings.spilledBytes) return emptyTurn;
  const { cut } = await readWaiting(chain);
  if (cut.events.length > 0) {
    const batch = await sealBatch(parts.keys, state, cut.events);
    chain.state = await parts.chains.spill(state, batch, {
      position: cut.entries.at(-1),
      outbox: cut.outbox,
    });
  }
  await removeTaken(chain, cut);
  return { bytes: cut.bytes, more: cut.full, isUnsigned: true, consumed: consumedRecords(cut) };
};
