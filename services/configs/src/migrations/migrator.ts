import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { type Graph, sharedOwner } from "@ikg/graph";
import type { KeyRing } from "@ikg/secrets";
import type { Log } from "../log.ts";
import { migrations as migrationsOfBuild } from "./all.ts";
import { acquireLease, type Lease, LeaseLost, releaseLease, renewLease } from "./lease.ts";
import type { Migration, Target } from "./migration.ts";
import type { MigrationMetrics } from "./migration-metrics.ts";
import { openOwnDatabaseMigrations } from "./own-databases.ts";
import { migrate } from "./run-migration.ts";

export interface MigratorSettings {
  /** Time between the start of the process and the first migration. */
  readonly delayMs: number;
  /** How long a process that is gone keeps others from migrating. */
  readonly takeoverMs: number;
  readonly batch: number;
  readonly pacePercent: number;
}

export interface MigratorParts {
  readonly graph: Graph;
  readonly keys: KeyRing;
  readonly log: Log;
  readonly metrics: MigrationMetrics;
  readonly settings: MigratorSettings;
  readonly now: () => Date;
  /** Default those of this build. */
  readonly migrations?: readonly Migration[];
}

/** Migrates the databases of a deployment in the background; of several processes one does. */
export interface Migrator {
  /** Begins, once. */
  start(): void;
  close(): Promise<void>;
}

/** Time between two passes once no database of a project is behind. */
const idleMs = 600_000;
const retryMs = 5_000;

/** Holds the lease while `work` runs. Its signal is aborted when the lease is lost, or the process ends. */
const withLease = async <T>(
  { graph, settings: { takeoverMs } }: MigratorParts,
  lease: Lease,
  stop: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const lost = new AbortController();
  const over = new AbortController();
  const renewing = (async () => {
    while (!over.signal.aborted) {
      await wait(takeoverMs / 3, undefined, { signal: over.signal, ref: false }).catch(() => undefined);
      if (over.signal.aborted) return;
      // Without an answer of the database nothing is written either.
      await renewLease(graph.shared, lease, takeoverMs).catch((error: unknown) => {
        if (error instanceof LeaseLost) lost.abort(error);
      });
    }
  })();
  try {
    return await work(AbortSignal.any([stop, lost.signal]));
  } finally {
    over.abort();
    await renewing;
    // One that is not released expires.
    await releaseLease(graph.shared, lease).catch(() => undefined);
  }
};

export const openMigrator = (parts: MigratorParts): Migrator => {
  const { graph, keys, log, metrics, settings, now, migrations = migrationsOfBuild } = parts;
  const newest = migrations.at(-1)?.version ?? 0;
  const stop = new AbortController();
  const token = randomUUID();
  const own = openOwnDatabaseMigrations(keys, newest);
  const shared: Target = { database: graph.shared, owner: sharedOwner, project: undefined };
  let running: Promise<void> | undefined;

  /** @returns how long to wait until the next pass. */
  const pass = async (): Promise<number> => {
    const lease = await acquireLease(graph.shared, token, settings.takeoverMs);
    // The other process may be gone.
    if (lease === undefined) return settings.takeoverMs / 2;
    return withLease(parts, lease, stop.signal, async (signal) => {
      const { batch, pacePercent } = settings;
      const run = {
        graph,
        log,
        metrics,
        epoch: lease.epoch,
        batch,
        pacePercent,
        signal,
        now: () => now().getTime(),
      };
      await migrate(run, shared, migrations, (migration) => migration.shared);
      // For `onSchema`: where no probe reads the version, the metric would keep that of the start.
      await graph.checkSchema();
      const behind = await own.migrate(run, migrations);
      metrics.behind(behind);
      return behind === 0 ? idleMs : 60_000;
    });
  };

  const keepMigrating = async (): Promise<void> => {
    const pause = (ms: number) =>
      wait(ms, undefined, { signal: stop.signal, ref: false }).catch(() => undefined);
    await pause(settings.delayMs);
    while (!stop.signal.aborted) {
      const ms = await pass().catch((error: unknown) => {
        if (stop.signal.aborted) return 0;
        if (error instanceof LeaseLost) return settings.takeoverMs / 2;
        metrics.failed();
        log.warn("a migration of data stopped; retrying", { error });
        return retryMs;
      });
      await pause(ms);
    }
  };

  return {
    start: () => void (running ??= keepMigrating()),
    close: async () => {
      stop.abort();
      await running;
    },
  };
};
