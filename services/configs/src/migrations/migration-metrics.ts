import type { Metrics } from "@ikg/service";

/** What is measured of migrations. */
export interface MigrationMetrics {
  batch(migration: string, step: string, items: number, ms: number): void;
  /** A pass that stopped; it is tried again. */
  failed(): void;
  /** Databases of projects that are not migrated yet, as far as the last pass saw. */
  behind(count: number): void;
}

export const openMigrationMetrics = (metrics: Metrics): MigrationMetrics => {
  const items = metrics.counter(
    "ikg_migration_items_total",
    "Records and projects that migrations of data have looked at, by migration and step.",
    ["migration", "step"],
  );
  const batches = metrics.histogram(
    "ikg_migration_batch_seconds",
    "Duration of one batch of a migration of data.",
  );
  const failures = metrics.counter(
    "ikg_migration_failures_total",
    "Migrations of a database that stopped and are tried again.",
  );
  const behind = metrics.gauge(
    "ikg_migration_databases_behind",
    "Databases that projects bring whose data could not be migrated yet, of the process that migrates.",
  );
  return {
    batch: (migration, step, count, ms) => {
      items.inc({ migration, step }, count);
      batches.observe(ms / 1_000);
    },
    failed: () => failures.inc(),
    behind: (count) => behind.set(count),
  };
};
