import { stateBounds, type WaitingBounds } from "@ikg/audit";
import type { LimitBounds } from "@ikg/contracts";
import { addCheckpoint } from "../checkpoints/add-checkpoint.ts";
import { ChainTaken } from "../store/chain-state.ts";
import type { WaitingChain, WriterParts } from "./chain-writer.ts";
import { mostEvents } from "./cut.ts";
import type { Turn } from "./fair-turns.ts";
import type { openHeldChains } from "./held-chains.ts";
import { stateProjectBounds } from "./project-bounds.ts";
import { recount, waitingChains } from "./waiting.ts";

export interface WriterSettings {
  readonly pollMs: number;
  readonly leaseMs: number;
  readonly checkpointMs: number;
  readonly retentionDays: number;
  /** What may wait in Redis; stated there for all services. */
  readonly bounds: WaitingBounds;
  readonly limits: LimitBounds;
}

/** Chains that are worked on at the same time. */
export const atOnce = 8;
const dayMs = 86_400_000;

/** Runs `work` for each item, a few at a time. */
const each = async <T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> => {
  const rest = items.values();
  await Promise.all(
    Array.from({ length: Math.min(atOnce, items.length) }, async () => {
      for (const item of rest) await work(item);
    }),
  );
};

/** What the loops of a writer share. */
export interface OpenWriter {
  readonly parts: WriterParts;
  readonly settings: WriterSettings;
  readonly chains: ReturnType<typeof openHeldChains>;
  readonly signal: AbortSignal;
  waiting: Map<string, WaitingChain>;
  /** Chains at work: a turn and a checkpoint of one chain at the same time would be two writers of it. */
  readonly busy: Set<string>;
}

/** Runs `work` while no other work of this process is on the chain. */
const exclusively = async (
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
  let turn: Turn = { bytes: 0, more: false };
  if (known === undefined) return turn;
  await exclusively(writer, project, async () => {
    try {
      const chain = await chains.of(project);
      if (chain === undefined) return;
      turn = await chain.turn(known);
      writer.waiting.set(project, {
        bytes: known.bytes - turn.bytes,
        records: known.records - mostEvents,
        since: turn.bytes === 0 ? known.since : parts.now().getTime(),
      });
    } catch (error) {
      chains.drop(project);
      if (!(error instanceof ChainTaken) && !signal.aborted)
        parts.log.warn("audit records cannot be stored now; it is tried again", { project, error });
    }
  });
  return turn;
};

/** Reads which chains have records that wait. */
export const readWaiting = async (writer: OpenWriter): Promise<void> => {
  const { redis, metrics, now } = writer.parts;
  const found = await waitingChains(redis);
  const at = now().getTime();
  const former = writer.waiting;
  writer.waiting = new Map(
    [...found].map(([chain, each]) => [chain, { ...each, since: former.get(chain)?.since ?? at }]),
  );
  metrics.waiting(found);
};

/** Counts every stream, and states for all services what may wait in Redis. */
export const countStreams = async ({ parts, settings, waiting }: OpenWriter): Promise<void> => {
  const { redis } = parts;
  await recount(redis);
  await stateBounds(redis, settings.bounds);
  await stateProjectBounds(parts, settings.limits, waiting.keys());
};

export const addCheckpoints = async (writer: OpenWriter): Promise<void> => {
  const { parts, settings, chains } = writer;
  const before = new Date(parts.now().getTime() - settings.checkpointMs).toISOString();
  await each(await parts.chains.due(before), (project) =>
    exclusively(writer, project, async () => {
      const chain = await chains.of(project);
      if (chain !== undefined) await addCheckpoint(parts, await chain.state());
    }),
  );
};

/** Removes the oldest records, a few at a time. @returns how many */
export const removeExpired = ({ parts, settings }: OpenWriter): Promise<number> => {
  const before = new Date(parts.now().getTime() - settings.retentionDays * dayMs).toISOString();
  return parts.chains.forget(before);
};
