import { stateBounds, type WaitingBounds } from "@ikg/audit";
import { mapInParallel } from "@ikg/concurrency";
import type { LimitBounds } from "@ikg/contracts";
import { ChainOwnershipLost } from "../store/chain-state.ts";
import { addCheckpoint } from "./add-checkpoint.ts";
import type { PendingRecords, WaitingChain } from "./waiting-records.ts";
import type { WriterParts } from "./writer-parts.ts";
import type { Turn } from "./fair-turns.ts";
import type { openHeldChains } from "./held-chains.ts";
import { stateProjectBounds, withReserve } from "./project-bounds.ts";
import { readStreams, type Streams } from "./streams.ts";
import { recount, waitingChains } from "./waiting.ts";

export interface WriterSettings {
  readonly pollMs: number;
  readonly leaseMs: number;
  readonly checkpointMs: number;
  readonly retentionDays: number;
  /** Limits of the records that wait in Redis, published there for all services. */
  readonly bounds: WaitingBounds;
  readonly limits: LimitBounds;
}

/** Chains that are worked on at the same time. */
export const atOnce = 8;
const dayMs = 86_400_000;

/** Records waiting in the database: committed with a change, or sealed because they cannot be signed. */
export interface StoredWaiting {
  readonly outbox: ReadonlyMap<string, PendingRecords>;
  readonly spilled: ReadonlyMap<string, PendingRecords>;
}

/** What the loops of a writer share. */
export interface OpenWriter {
  readonly parts: WriterParts;
  readonly settings: WriterSettings;
  readonly chains: ReturnType<typeof openHeldChains>;
  readonly signal: AbortSignal;
  waiting: Map<string, WaitingChain>;
  /** The current streams; undefined until they are read. */
  streams: Streams | undefined;
  /** Chains that must record that their streams were replaced. */
  chainsOfReplacedStreams: Set<string>;
  /** What waits in the database, by chain. */
  stored: StoredWaiting;
  /** Chains at work: a turn and a checkpoint of one chain at the same time would be two writers of it. */
  readonly busy: Set<string>;
}

/** Runs `work` while no other work of this process is on the chain. */
const withChainLock = async (
  { busy }: OpenWriter,
  project: string,
  work: () => Promise<void>,
): Promise<void> => {
  if (busy.has(project)) return;
  busy.add(project);
  try {
    await work();
  } finally {
    busy.delete(project);
  }
};

/** Stores one batch of a chain, if this process has its lease. */
export const serveChain = async (writer: OpenWriter, project: string): Promise<Turn> => {
  const { parts, chains, waiting, signal } = writer;
  const known = waiting.get(project);
  let turn: Turn = { bytes: 0, more: false, isUnsigned: true };
  if (known === undefined) return turn;
  await withChainLock(writer, project, async () => {
    try {
      const chain = await chains.of(project);
      if (chain === undefined) return;
      const { consumed, ...rest } = await chain.turn(known);
      turn = rest;
      // Its last batch says so, whichever process stored that.
      if (known.hasReplacedStreams && (await chain.state()).streams === parts.streams().id)
        writer.chainsOfReplacedStreams.delete(project);
      writer.waiting.set(project, {
        ...known,
        bytes: Math.max(0, known.bytes - consumed.bytes),
        records: Math.max(0, known.records - consumed.records),
        since: consumed.records === 0 ? known.since : parts.now().getTime(),
      });
    } catch (error) {
      chains.drop(project);
      if (!(error instanceof ChainOwnershipLost) && !signal.aborted)
        parts.log.warn("audit records cannot be stored now; retrying", { project, error });
    }
  });
  return turn;
};

/** Chains that have to record that the streams were replaced: those with a batch from former streams in the last 24 hours. */
const affectedChains = async ({ parts }: OpenWriter, current: Streams): Promise<Set<string>> => {
  const since = new Date(parts.now().getTime() - dayMs).toISOString();
  return new Set(await parts.chains.chainsOfReplacedStreams(current.id, since));
};

const warnOfReplacement = ({ parts }: OpenWriter, affected: ReadonlySet<string>): void => {
  if (affected.size === 0) return;
  parts.log.warn(
    "the Redis server holding the audit streams was replaced or restarted; the affected chains will record a gap",
    { chains: affected.size },
  );
};

/** The state of every chain is read again when it is served next. */
const dropHeldChains = ({ chains }: OpenWriter): void => {
  for (const project of chains.held.keys()) chains.drop(project);
};

/** Reads which server holds the streams. After a replacement, the affected chains record it in their next batch. */
export const followStreams = async (writer: OpenWriter): Promise<void> => {
  const current = await readStreams(writer.parts.redis, writer.parts.now());
  if (current.id === writer.streams?.id) return;
  writer.chainsOfReplacedStreams = await affectedChains(writer, current);
  warnOfReplacement(writer, writer.chainsOfReplacedStreams);
  dropHeldChains(writer);
  writer.streams = current;
};

/** Reads what waits in the database. */
export const readStored = async (writer: OpenWriter): Promise<void> => {
  const { chains, metrics } = writer.parts;
  const [outbox, spilled] = await Promise.all([chains.outboxSizes(), chains.spillSizes()]);
  writer.stored = {
    outbox: new Map(outbox.map((each) => [each.chain, each])),
    spilled: new Map(spilled.map((each) => [each.chain, each])),
  };
  metrics.spilled(spilled.reduce((sum, { bytes }) => sum + bytes, 0));
};

/** Part of the bytes allowed in Redis above which even a few records that cannot be signed are sealed. */
const fillingShare = 0.25;

const none: PendingRecords = { records: 0, bytes: 0 };

/** Reads which chains have records that wait. */
export const readWaiting = async (writer: OpenWriter): Promise<void> => {
  const { redis, metrics, now } = writer.parts;
  const { settings, stored, chainsOfReplacedStreams, waiting: former } = writer;
  const streams = await waitingChains(redis);
  const at = now().getTime();
  const chains = new Set([
    ...streams.keys(),
    ...stored.outbox.keys(),
    ...stored.spilled.keys(),
    ...chainsOfReplacedStreams,
  ]);
  const inRedis = [...streams.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  const isRedisFilling = inRedis > settings.bounds.total * fillingShare;
  const waitingOf = (chain: string): WaitingChain => {
    const parts = [streams.get(chain) ?? none, stored.outbox.get(chain) ?? none];
    return {
      records: parts.reduce((sum, { records }) => sum + records, 0),
      bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
      since: former.get(chain)?.since ?? at,
      isRedisFilling,
      isSpilled: stored.spilled.has(chain),
      hasReplacedStreams: chainsOfReplacedStreams.has(chain),
    };
  };
  writer.waiting = new Map([...chains].map((chain) => [chain, waitingOf(chain)]));
  metrics.waiting(writer.waiting);
};

/** Counts every stream, states for all services what may wait in Redis, and forgets chains of which nothing waits. */
export const countStreams = async ({ parts, settings, waiting, chains }: OpenWriter): Promise<void> => {
  const { redis } = parts;
  for (const project of chains.held.keys()) if (!waiting.has(project)) chains.drop(project);
  await recount(redis);
  await stateBounds(redis, await withReserve(parts, settings.bounds));
  await stateProjectBounds(parts, settings.limits, waiting.keys());
};

/** Adds the checkpoints that are due. A chain that gets none, for whatever reason, does not keep the others. */
export const addCheckpoints = async (writer: OpenWriter): Promise<void> => {
  const { parts, settings, chains, signal } = writer;
  const before = new Date(parts.now().getTime() - settings.checkpointMs).toISOString();
  await mapInParallel(await parts.chains.due(before), atOnce, (project) =>
    withChainLock(writer, project, async () => {
      try {
        const chain = await chains.of(project);
        if (chain !== undefined) await addCheckpoint(parts, await chain.state());
      } catch (error) {
        chains.drop(project);
        if (!(error instanceof ChainOwnershipLost) && !signal.aborted)
          parts.log.warn("a checkpoint cannot be added now; retrying", { project, error });
      }
    }),
  );
};

/** Removes the oldest records, a few at a time. @returns how many */
export const removeExpired = ({ parts, settings }: OpenWriter): Promise<number> => {
  const before = new Date(parts.now().getTime() - settings.retentionDays * dayMs).toISOString();
  return parts.chains.forget(before);
};
