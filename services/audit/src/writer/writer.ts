import { setTimeout as wait } from "node:timers/promises";
import { stateBounds, type WaitingBounds } from "@ikg/audit";
import type { LimitBounds } from "@ikg/contracts";
import { addCheckpoint } from "../checkpoints/add-checkpoint.ts";
import { ChainTaken } from "../store/chains.ts";
import { type ChainWriter, chainWriter, type WaitingChain, type WriterParts } from "./chain-writer.ts";
import { mostEvents } from "./cut.ts";
import { fairTurns, type Turn } from "./fair-turns.ts";
import { type Leases, openLeases } from "./lease.ts";
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

export interface Writer {
  /** Longest time for which records of a chain wait for a signature, in milliseconds. */
  pendingMs(): number;
  close(): Promise<void>;
}

/** Chains that are worked on at the same time. */
const atOnce = 8;
/** Time between two counts of every stream. */
const recountMs = 10_000;
const dayMs = 86_400_000;

/** The chain writers that this process has the leases for. */
const openChains = (parts: WriterParts, leases: Leases) => {
  const held = new Map<string, ChainWriter>();
  const drop = (project: string): void => void held.delete(project);
  return {
    held,
    drop,
    /** The writer of a chain, unless another process has it. */
    of: async (project: string): Promise<ChainWriter | undefined> => {
      const lease = await leases.hold(project);
      if (lease === undefined) {
        drop(project);
        return undefined;
      }
      // After a lease that had ended the chain may have been another one's.
      if (lease === "new") drop(project);
      const known = held.get(project) ?? chainWriter(parts, project);
      held.set(project, known);
      return known;
    },
  };
};

/** Runs `work` for each item, a few at a time. */
const each = async <T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> => {
  const rest = items.values();
  await Promise.all(
    Array.from({ length: Math.min(atOnce, items.length) }, async () => {
      for (const item of rest) await work(item);
    }),
  );
};

/** Stores what services emit until it is closed. */
export const startWriter = (parts: WriterParts, settings: WriterSettings): Writer => {
  const { redis, chains: store, log, now, told } = parts;
  const leases = openLeases(redis, settings.leaseMs);
  const chains = openChains(parts, leases);
  const stop = new AbortController();
  let nextForgetting = now().getTime();
  let nextCheckpoints = now().getTime();
  let nextCount = 0;

  let waiting = new Map<string, WaitingChain>();

  /** Chains at work: a turn and a checkpoint of one chain at the same time would be two writers of it. */
  const busy = new Set<string>();

  const serve = async (project: string): Promise<Turn> => {
    const known = waiting.get(project);
    if (known === undefined || busy.has(project)) return { bytes: 0, more: false };
    busy.add(project);
    try {
      const writer = await chains.of(project);
      if (writer === undefined) return { bytes: 0, more: false };
      const turn = await writer.turn(known);
      waiting.set(project, {
        bytes: known.bytes - turn.bytes,
        records: known.records - mostEvents,
        since: turn.bytes === 0 ? known.since : now().getTime(),
      });
      return turn;
    } catch (error) {
      chains.drop(project);
      if (!(error instanceof ChainTaken) && !stop.signal.aborted)
        log.warn("audit records cannot be stored now; it is tried again", { project, error });
      return { bytes: 0, more: false };
    } finally {
      busy.delete(project);
    }
  };
  const turns = fairTurns({ atOnce, serve, now: () => performance.now() });

  const look = async (): Promise<void> => {
    const found = await waitingChains(redis);
    const all = [...found.values()];
    const at = now().getTime();
    waiting = new Map(
      [...found].map(([chain, each]) => [chain, { ...each, since: waiting.get(chain)?.since ?? at }]),
    );
    told.waiting({
      records: all.reduce((sum, each) => sum + each.records, 0),
      bytes: all.reduce((sum, each) => sum + each.bytes, 0),
    });
    turns.offer(waiting.keys());
  };

  const count = async (): Promise<void> => {
    if (performance.now() < nextCount) return;
    nextCount = performance.now() + recountMs;
    await recount(redis);
    await stateBounds(redis, settings.bounds);
    await stateProjectBounds(parts, settings.limits, waiting.keys());
  };

  const checkpoints = async (): Promise<void> => {
    if (now().getTime() < nextCheckpoints) return;
    // What cannot be signed now is not tried with every look.
    nextCheckpoints = now().getTime() + Math.min(settings.checkpointMs / 4, 60_000);
    const before = new Date(now().getTime() - settings.checkpointMs).toISOString();
    await each(await store.due(before), async (project) => {
      if (busy.has(project)) return;
      busy.add(project);
      try {
        const writer = await chains.of(project);
        if (writer !== undefined) await addCheckpoint(parts, await writer.state());
      } finally {
        busy.delete(project);
      }
    });
  };

  const forget = async (): Promise<void> => {
    if (now().getTime() < nextForgetting) return;
    const before = new Date(now().getTime() - settings.retentionDays * dayMs).toISOString();
    const forgotten = await store.forget(before);
    // A few at a time, so that nothing else waits for them.
    if (forgotten === 0) nextForgetting = now().getTime() + 3_600_000;
  };

  const repeat = async (...steps: readonly (() => Promise<void>)[]): Promise<void> => {
    while (!stop.signal.aborted) {
      for (const step of steps)
        try {
          await step();
        } catch (error) {
          if (!stop.signal.aborted) log.warn("audit records cannot be looked after now", { error });
        }
      await wait(settings.pollMs, undefined, { signal: stop.signal }).catch(() => undefined);
    }
  };
  // A look waits neither for turns nor for the signatures of checkpoints.
  const ended = Promise.all([repeat(count, look), repeat(checkpoints, forget)]);
  return {
    pendingMs: () => Math.max(0, ...[...chains.held.values()].map((writer) => writer.pendingMs())),
    close: async () => {
      stop.abort();
      await Promise.all([ended, turns.close()]);
      await Promise.all(
        [...chains.held.keys()].map((project) => leases.drop(project).catch(() => undefined)),
      );
    },
  };
};
