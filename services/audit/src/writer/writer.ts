import { setTimeout as wait } from "node:timers/promises";
import type { WriterParts } from "./writer-parts.ts";
import { fairTurns } from "./fair-turns.ts";
import { openHeldChains } from "./held-chains.ts";
import { openLeases } from "./lease.ts";
import {
  addCheckpoints,
  atOnce,
  countStreams,
  followStreams,
  type OpenWriter,
  readStored,
  readWaiting,
  removeExpired,
  serveChain,
  type WriterSettings,
} from "./steps.ts";

export interface Writer {
  /** Longest time for which records of a chain wait for a signature, in milliseconds. */
  pendingMs(): number;
  close(): Promise<void>;
}

/** Time between two counts of every stream. */
const recountMs = 10_000;
/** Time between two reads of what waits in the database. */
const storedMs = 500;
/** Pause after a removal that found no expired records. */
const expiryMs = 3_600_000;

type Step = () => Promise<void>;

/** A step that runs at most once in so many milliseconds, whether it fails or not. */
const atMostEvery = (ms: number, run: Step, now: () => number): Step => {
  let due = -Infinity;
  return async () => {
    if (now() < due) return;
    due = now() + ms;
    await run();
  };
};

/** Removes some expired records with every step; once there are none it pauses, so that no other step waits for it. */
const expireSteadily = (writer: OpenWriter, now: () => number): Step => {
  let due = -Infinity;
  return async () => {
    if (now() < due) return;
    if ((await removeExpired(writer)) === 0) due = now() + expiryMs;
  };
};

/** Repeats the steps in order until the signal is aborted; the failure of one does not keep the others. */
const repeat = async ({ parts, settings, signal }: OpenWriter, steps: readonly Step[]): Promise<void> => {
  while (!signal.aborted) {
    for (const step of steps)
      try {
        await step();
      } catch (error) {
        if (!signal.aborted) parts.log.warn("a step of the audit writer failed; retrying", { error });
      }
    await wait(settings.pollMs, undefined, { signal }).catch(() => undefined);
  }
};

/** What a writer repeats until it is closed: turns wait neither for the signatures of checkpoints nor for expired records. */
const repeatAll = (writer: OpenWriter, offerTurns: Step): Promise<unknown> => {
  const { parts, settings } = writer;
  const now = (): number => parts.now().getTime();
  const elapsed = (): number => performance.now();
  // A chain that cannot be signed now is not tried with every step.
  const checkpointMs = Math.min(settings.checkpointMs / 4, 60_000);
  return Promise.all([
    repeat(writer, [
      atMostEvery(recountMs, () => countStreams(writer), elapsed),
      () => followStreams(writer),
      atMostEvery(storedMs, () => readStored(writer), elapsed),
      offerTurns,
    ]),
    repeat(writer, [
      atMostEvery(checkpointMs, () => addCheckpoints(writer), now),
      expireSteadily(writer, now),
    ]),
  ]);
};

/** Stores the records that services emit until it is closed. */
export const startWriter = (given: Omit<WriterParts, "streams">, settings: WriterSettings): Writer => {
  const parts: WriterParts = {
    ...given,
    streams: () => {
      if (writer.streams === undefined) throw new Error("it is not known yet which redis holds the streams");
      return writer.streams;
    },
  };
  const leases = openLeases(parts.redis, settings.leaseMs);
  const chains = openHeldChains(parts, leases);
  const stop = new AbortController();
  const writer: OpenWriter = {
    parts,
    settings,
    chains,
    signal: stop.signal,
    waiting: new Map(),
    streams: undefined,
    chainsOfReplacedStreams: new Set(),
    stored: { outbox: new Map(), spilled: new Map() },
    busy: new Set(),
  };
  const turns = fairTurns({
    atOnce,
    serve: (project) => serveChain(writer, project),
    now: () => performance.now(),
  });
  const ended = repeatAll(writer, async () => {
    await readWaiting(writer);
    turns.offer(writer.waiting.keys());
  });
  return {
    pendingMs: () => Math.max(0, ...[...chains.held.values()].map((chain) => chain.pendingMs())),
    close: async () => {
      stop.abort();
      await Promise.all([ended, turns.close()]);
      await Promise.all(
        [...chains.held.keys()].map((project) => leases.drop(project).catch(() => undefined)),
      );
    },
  };
};
