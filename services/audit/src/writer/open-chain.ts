import { streamKey } from "@ikg/audit";
import type { ChainState } from "../store/chain-state.ts";
import { type Entry, itemOfEntry } from "../store/waiting-item.ts";
import { removeStoredEntries } from "./stored-entries.ts";
import type { WriterParts } from "./writer-parts.ts";

/** An outage of signing: its beginning and the time of the next attempt. */
export interface Outage {
  readonly since: number;
  readonly waitMs: number;
  readonly until: number;
}

/** The state of a chain's writer between calls. */
export interface OpenChain {
  readonly parts: WriterParts;
  readonly project: string;
  /** The stored state; undefined when it must be read again. */
  state: ChainState | undefined;
  outage: Outage | undefined;
  /** Empty until the first record is read. */
  organization: string;
}

/** Takes the chain in the database, unless this writer has it. */
export const takeChain = async (chain: OpenChain): Promise<ChainState> => {
  if (chain.state !== undefined) return chain.state;
  const { redis, chains, settings } = chain.parts;
  const taken = await chains.take(chain.project, chain.organization);
  // From here on no other writer stores: what the stream holds afterwards is not stored yet.
  await removeStoredEntries(redis, { chains, keys: chain.parts.keys }, taken);
  chain.state = taken;
  // An outage that another writer met continues; the next attempt is at once.
  if (chain.outage === undefined && taken.failingSince !== undefined)
    chain.outage = { since: taken.failingSince.getTime(), waitMs: settings.retryMinMs, until: 0 };
  return taken;
};

/**
 * Finds out the organization of a chain, which waiting items name while the chain is not stored.
 *
 * @returns false when nothing waits either. Items that name none are unreadable: the chain is taken to remove them.
 */
export const readOrganization = async (chain: OpenChain): Promise<boolean> => {
  if (chain.organization !== "") return true;
  const { redis, chains } = chain.parts;
  const [entries, outbox, stored] = await Promise.all([
    redis.xrange(streamKey(chain.project), "-", "+", "COUNT", 1) as Promise<Entry[]>,
    chains.outbox(chain.project, 1),
    chains.organization(chain.project),
  ]);
  const items = [...entries.map(itemOfEntry), ...outbox];
  const named = [stored ?? "", ...items.map(({ organization }) => organization)];
  chain.organization = named.find((organization) => organization !== "") ?? "";
  // A chain that was taken without one is taken again, which stores it.
  if (chain.organization !== "") chain.state = undefined;
  return chain.organization !== "" || items.length > 0;
};
