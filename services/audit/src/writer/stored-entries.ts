import { recordField, removeEntries } from "@ikg/audit";
import type { Redis } from "ioredis";
import type { ChainState } from "../store/chain-state.ts";
import type { Chains } from "../store/chains.ts";
import { type Entry, fieldOf } from "./cut.ts";
import { readEntries } from "./read.ts";

/** Batches, from the last one back, in which an entry is looked for, and how many are read at one time. */
const batchesBack = 32;
const batchesAtOnce = 8;

const partsOf = (id: string): readonly [bigint, bigint] => {
  const [time = "0", number = "0"] = id.split("-");
  return [BigInt(time), BigInt(number)];
};

const isAfter = (id: string, other: string): boolean => {
  const [[time, number], [otherTime, otherNumber]] = [partsOf(id), partsOf(other)];
  return time > otherTime || (time === otherTime && number > otherNumber);
};

const recordIdOf = ([, fields]: Entry): unknown => {
  try {
    const record: unknown = JSON.parse(fieldOf(fields, recordField) ?? "");
    return typeof record === "object" && record !== null && "id" in record ? record.id : undefined;
  } catch {
    return undefined;
  }
};

/** Ids of the records in the last batches of a chain. */
const lastRecords = async (chains: Pick<Chains, "batches">, chain: ChainState): Promise<Set<unknown>> => {
  const ids = new Set<unknown>();
  const oldest = Math.max(0, chain.sequence - batchesBack);
  for (let from = oldest; from < chain.sequence; from += batchesAtOnce)
    for (const { data } of await chains.batches({ project: chain.project, from, limit: batchesAtOnce }))
      for (const { id } of data) ids.add(id);
  return ids;
};

/**
 * Removes the entries that a former writer stored and did not come to remove, or that a Redis which lost its last second
 * brought back. An id that is not after the last stored one is a hint alone: ids follow the clock of a Redis, and one that
 * took over from another may be behind. So only what is found in the chain is removed; in doubt a record is stored twice.
 */
export const removeStoredEntries = async (
  redis: Redis,
  chains: Pick<Chains, "batches">,
  chain: ChainState,
): Promise<void> => {
  if (chain.sequence === 0) return;
  let stored: Set<unknown> | undefined;
  for (let from = "0-0"; ;) {
    const { entries, full } = await readEntries(redis, chain.project, from);
    const before = entries.filter(([id]) => !isAfter(id, chain.position));
    if (before.length === 0) return;
    const known = (stored ??= await lastRecords(chains, chain));
    const ids = before.flatMap((entry) => (known.has(recordIdOf(entry)) ? [entry[0]] : []));
    if (ids.length > 0) await removeEntries(redis, chain.project, ids);
    const [last] = before.at(-1) ?? [];
    if (!full || last === undefined || before.length < entries.length) return;
    from = last;
  }
};
