import { setTimeout as wait } from "node:timers/promises";
import { chainsKey, streamKey } from "@ikg/audit";
import { addCheckpoint } from "../checkpoints/add-checkpoint.ts";
import { ChainTaken } from "../store/chains.ts";
import { type ChainWriter, chainWriter, type WriterParts } from "./chain-writer.ts";
import { type Leases, openLeases } from "./lease.ts";

export interface WriterSettings {
  readonly pollMs: number;
  readonly leaseMs: number;
  readonly checkpointMs: number;
  readonly retentionDays: number;
}

export interface Writer {
  /** Longest time for which records of a chain wait for a signature, in milliseconds. */
  pendingMs(): number;
  close(): Promise<void>;
}

/** Chains that are worked on at the same time. */
const atOnce = 8;
/** Batches of one chain before it is another one's turn. */
const mostTurns = 64;
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

  const work = async (project: string): Promise<void> => {
    try {
      const writer = await chains.of(project);
      for (let turns = 0; turns < mostTurns && !stop.signal.aborted; turns++)
        if (writer === undefined || !(await writer.turn())) return;
    } catch (error) {
      chains.drop(project);
      if (!(error instanceof ChainTaken) && !stop.signal.aborted)
        log.warn("audit records cannot be stored now; it is tried again", { project, error });
    }
  };

  /** Chains with records that wait. */
  const waiting = async (): Promise<string[]> => {
    const projects = await redis.smembers(chainsKey);
    const pipeline = redis.pipeline();
    for (const project of projects) pipeline.xlen(streamKey(project));
    const lengths = ((await pipeline.exec()) ?? []).map(([, length]) => Number(length ?? 0));
    told.waiting(lengths.reduce((sum, length) => sum + length, 0));
    return projects.filter((_, index) => (lengths[index] ?? 0) > 0);
  };

  const checkpoints = async (): Promise<void> => {
    if (now().getTime() < nextCheckpoints) return;
    // What cannot be signed now is not tried with every look.
    nextCheckpoints = now().getTime() + Math.min(settings.checkpointMs / 4, 60_000);
    const before = new Date(now().getTime() - settings.checkpointMs).toISOString();
    await each(await store.due(before), async (project) => {
      const writer = await chains.of(project);
      if (writer !== undefined) await addCheckpoint(parts, await writer.state());
    });
  };

  const forget = async (): Promise<void> => {
    if (now().getTime() < nextForgetting) return;
    const before = new Date(now().getTime() - settings.retentionDays * dayMs).toISOString();
    const forgotten = await store.forget(before);
    // A few at a time, so that nothing else waits for them.
    if (forgotten === 0) nextForgetting = now().getTime() + 3_600_000;
  };

  const rounds = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      for (const step of [async () => each(await waiting(), work), checkpoints, forget])
        try {
          await step();
        } catch (error) {
          if (!stop.signal.aborted) log.warn("audit records cannot be looked after now", { error });
        }
      await wait(settings.pollMs, undefined, { signal: stop.signal }).catch(() => undefined);
    }
  };
  const ended = rounds();
  return {
    pendingMs: () => Math.max(0, ...[...chains.held.values()].map((writer) => writer.pendingMs())),
    close: async () => {
      stop.abort();
      await ended;
      await Promise.all(
        [...chains.held.keys()].map((project) => leases.drop(project).catch(() => undefined)),
      );
    },
  };
};
