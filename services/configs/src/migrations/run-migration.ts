import { setTimeout as wait } from "node:timers/promises";
import type { Graph } from "@ikg/graph";
import type { Log } from "../log.ts";
import type { Migration, Step, StepContext, Target } from "./migration.ts";
import type { MigrationMetrics } from "./migration-metrics.ts";
import { advance, type Fence, finish, type Place, readPlace, stepKey } from "./progress.ts";

/** Context of a pass of migrations, the same for all databases. */
export interface MigrationContext {
  readonly graph: Graph;
  readonly log: Log;
  readonly metrics: MigrationMetrics;
  readonly epoch: number;
  /** Items of a batch. */
  readonly batch: number;
  /** Share of its time that it works, in percent. */
  readonly pacePercent: number;
  readonly now: () => number;
  /** Aborted when the process ends, or the lease is lost. */
  readonly signal: AbortSignal;
}

const timeoutMs = 120_000;
/** Time between two lines of the log about one step. */
const progressMs = 10_000;

/** Work on one step of a migration. */
interface StepRun {
  readonly context: MigrationContext;
  readonly target: Target;
  readonly migration: Migration;
  readonly step: Step;
}

/** One batch: its work and the note of it are one transaction. @returns the place after it, and how many items it was about */
const runBatch = async (
  { context, target, migration, step }: StepRun,
  from: Place,
): Promise<{ readonly place: Place; readonly items: number } | undefined> => {
  const { graph, epoch, batch, now } = context;
  const key = stepKey(migration, step.name);
  const stepContext: StepContext = { ...target, graph, batch, now };
  const next = await step.next(stepContext, from.step === key ? from.cursor : "");
  if (next === undefined) return undefined;
  const place = { step: key, cursor: next.cursor };
  await target.database.write(
    async (tx) => {
      await advance(tx, target, { migration, epoch, from }, place);
      await next.write?.(tx);
    },
    { timeoutMs },
  );
  return { place, items: next.items };
};

/** Runs a step from where it stands. @returns the place after it */
const runStep = async (run: StepRun, from: Place): Promise<Place> => {
  const { context, target, migration, step } = run;
  const { log, metrics, pacePercent, signal } = context;
  const fields = { migration: migration.name, step: step.name, database: target.owner };
  let place = from;
  let items = 0;
  for (let reportedAt = performance.now(); ;) {
    signal.throwIfAborted();
    const started = performance.now();
    const done = await runBatch(run, place);
    if (done === undefined) break;
    place = done.place;
    items += done.items;
    const tookMs = performance.now() - started;
    metrics.batch(migration.name, step.name, done.items, tookMs);
    if (performance.now() - reportedAt >= progressMs) {
      reportedAt = performance.now();
      log.info("a migration is under way", { ...fields, items });
    }
    await wait(tookMs * (100 / pacePercent - 1), undefined, { signal });
  }
  log.info("a step of a migration is done", { ...fields, items });
  return place;
};

/** Runs one migration on a database, from where it stands. */
const runMigration = async (
  context: MigrationContext,
  target: Target,
  migration: Migration,
  steps: readonly Step[],
  start: Place,
): Promise<void> => {
  // A place of no step here is of another build's form of the migration; batches are idempotent, so it starts over.
  const begun = Math.max(
    0,
    steps.findIndex(({ name }) => stepKey(migration, name) === start.step),
  );
  let place = start;
  for (const step of steps.slice(begun)) place = await runStep({ context, target, migration, step }, place);
  const by: Fence = { migration, epoch: context.epoch, from: place };
  await target.database.write((tx) => finish(tx, target, by), { timeoutMs });
  const { name, version } = migration;
  context.log.info("a migration is done", { migration: name, version, database: target.owner });
};

/**
 * Brings a database to the version of the last migration.
 *
 * @param stepsOf the steps of a migration for this kind of database.
 * @throws LeaseLost when another process has gone on; the reason of the signal; otherwise as `Database.write`.
 */
export const migrate = async (
  context: MigrationContext,
  target: Target,
  migrations: readonly Migration[],
  stepsOf: (migration: Migration) => readonly Step[],
): Promise<void> => {
  for (const migration of migrations) {
    const place = await readPlace(target);
    // A database whose claim is gone belongs to a project that was deleted meanwhile.
    if (place === undefined) return;
    if (place.version < migration.version)
      await runMigration(context, target, migration, stepsOf(migration), place);
  }
};
