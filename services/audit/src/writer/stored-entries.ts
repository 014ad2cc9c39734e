import { removeEntries } from "@ikg/audit";
import { isJsonObject } from "@ikg/contracts";
import type { KeyRing } from "@ikg/secrets";
import type { Redis } from "ioredis";
import type { ChainState } from "../store/chain-state.ts";
import type { Chains } from "../store/chains.ts";
import { itemOfEntry, type WaitingItem } from "../store/waiting-item.ts";
import { readEntries } from "./read.ts";
import { openBatch, spillKey } from "./sealed-batch.ts";

/** Batches in which an entry is looked for at least and at most, and how many are read at one time. */
const batchesBack = 32;
const mostBack = 2_048;
const batchesAtOnce = 8;

/** Where records of a chain are that wait no more. */
export interface StoredParts {
  readonly chains: Pick<Chains, "batches" | "spilled">;
  /** Open the sealed ones. */
  readonly keys: KeyRing;
}

const partsOf = (id: string): readonly [bigint, bigint] => {
  const [time = "0", number = "0"] = id.split("-");
  return [BigInt(time), BigInt(number)];
};

const isAfter = (id: string, other: string): boolean => {
  const [[time, number], [otherTime, otherNumber]] = [partsOf(id), partsOf(other)];
  return time > otherTime || (time === otherTime && number > otherNumber);
};

const recordIdOf = (event: string): unknown => {
  const record: unknown = JSON.parse(event);
  return isJsonObject(record) ? record["id"] : undefined;
};

/**
 * Ids of the records in the last batches of a chain, as far back as one of these records may be: a record is not in a batch
 * that was signed before it was made.
 *
 * @param oldest time of the oldest record that is looked for.
 */
const batchedRecords = async (
  { chains }: StoredParts,
  chain: ChainState,
  oldest: string,
): Promise<Set<unknown>> => {
  const ids = new Set<unknown>();
  for (let end = chain.sequence; end > 0 && chain.sequence - end < mostBack; end -= batchesAtOnce) {
    const from = Math.max(0, end - batchesAtOnce);
    const batches = await chains.batches({ project: chain.project, from, limit: end - from });
    const records = batches.flatMap(({ data }) => data);
    for (const { id } of records) ids.add(id);
    const isOlder = records.every(({ time }) => String(time) < oldest);
    if (isOlder && chain.sequence - from >= batchesBack) break;
  }
  return ids;
};

/** Ids of the records that are sealed. */
const sealedRecords = async ({ chains, keys }: StoredParts, chain: ChainState): Promise<unknown[]> => {
  const ids: unknown[] = [];
  const first = Math.max(0, chain.spill.count - mostBack);
  for (let number = first; number < chain.spill.count; number += batchesAtOnce) {
    const end = Math.min(number + batchesAtOnce, chain.spill.count);
    const batches = await chains.spilled(
      Array.from({ length: end - number }, (_, index) => spillKey(chain, number + index)),
    );
    for (const batch of batches)
      for (const record of JSON.parse(await openBatch(keys, batch)) as { readonly id: string }[])
        ids.push(record.id); // records, as they were sealed
  }
  return ids;
};

const oldestOf = (items: readonly WaitingItem[]): string =>
  items.reduce((oldest, { time }) => (time !== "" && time < oldest ? time : oldest), "~");

/**
 * Removes the entries that a former writer stored and did not come to remove, or that a Redis which lost its last second
 * brought back. An id that is not after the last stored one is a hint alone: ids follow the clock of a Redis, and one that
 * took over from another may be behind. So only what is found in the chain is removed; in doubt a record is stored twice.
 */
export const removeStoredEntries = async (
  redis: Redis,
  parts: StoredParts,
  chain: ChainState,
): Promise<void> => {
  if (chain.sequence === 0 && chain.spill.count === 0) return;
  let stored: Set<unknown> | undefined;
  for (let from = "0-0"; ;) {
    const { entries, full } = await readEntries(redis, chain.project, from);
    const before = entries.filter(([id]) => !isAfter(id, chain.position)).map(itemOfEntry);
    if (before.length === 0) return;
    // Entries are about in the order in which their records were made, so the first ones say how far back to look.
    const known = (stored ??= new Set([
      ...(await batchedRecords(parts, chain, oldestOf(before))),
      ...(await sealedRecords(parts, chain)),
    ]));
    const ids = before.filter(({ events }) => events.some((event) => known.has(recordIdOf(event))));
    if (ids.length > 0)
      await removeEntries(
        redis,
        chain.project,
        ids.map(({ id }) => id),
      );
    const last = before.at(-1)?.id;
    if (!full || last === undefined || before.length < entries.length) return;
    from = last;
  }
};
