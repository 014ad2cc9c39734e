import { describe, expect, it } from "@jest/globals";
import { useIdleService } from "../../../../stack/src/testing/servers/idle-service.ts";
import { openMigrationMetrics } from "./migration-metrics.ts";

const service = useIdleService("configs");

describe("the metrics of migrations", () => {
  it("count items, batches and failures, and the databases that are behind", async () => {
    const metrics = openMigrationMetrics(service().metrics);
    metrics.batch("0001-counts", "records", 40, 500);
    metrics.batch("0001-counts", "records", 2, 250);
    metrics.failed();
    metrics.behind(3);
    const found = await service().metrics.registry.metrics();
    expect(found).toMatch(
      /^ikg_migration_items_total\{migration="0001-counts",step="records",service="configs"\} 42$/m,
    );
    expect(found).toMatch(/^ikg_migration_batch_seconds_sum\{service="configs"\} 0\.75$/m);
    expect(found).toMatch(/^ikg_migration_failures_total\{service="configs"\} 1$/m);
    expect(found).toMatch(/^ikg_migration_databases_behind\{service="configs"\} 3$/m);
  });
});
