import { describe, expect, it } from "@jest/globals";
import { useIdleService } from "../../../stack/src/testing/servers/idle-service.ts";
import { countWork, watchRuns } from "./run-metrics.ts";

const service = useIdleService("trust-scorer");

const text = (): Promise<string> => service().metrics.registry.metrics();

describe("the metrics of the scorer", () => {
  it("count pages, runs and repeated steps", async () => {
    const metrics = countWork(service().metrics);
    metrics.rows(1_000);
    metrics.rows(7);
    metrics.run("finished");
    metrics.run("skipped");
    metrics.repeated();
    const found = await text();
    expect(found).toMatch(/^ikg_trust_scored_nodes_total\{service="trust-scorer"\} 1007$/m);
    expect(found).toMatch(/^ikg_trust_runs_total\{outcome="finished",service="trust-scorer"\} 1$/m);
    expect(found).toMatch(/^ikg_trust_runs_total\{outcome="skipped",service="trust-scorer"\} 1$/m);
    // From the start: an alert sees the increase of the first one.
    expect(found).toMatch(/^ikg_trust_runs_total\{outcome="failed",service="trust-scorer"\} 0$/m);
    expect(found).toMatch(/^ikg_trust_repeated_steps_total\{service="trust-scorer"\} 1$/m);
  });

  it("tell how many runs go on, and since when the oldest", async () => {
    const startTime = new Date(Date.now() - 60_000).toISOString();
    const stored = [{ run: { startTime } }, { run: undefined }];
    const records = { all: () => Promise.resolve(stored) } as never; // the fields that are looked at
    const watching = watchRuns(records, service().metrics);
    await watching.close();
    const found = await text();
    expect(found).toMatch(/^ikg_trust_runs_open\{service="trust-scorer"\} 1$/m);
    const [, age] = /^ikg_trust_oldest_run_seconds\{service="trust-scorer"\} (\S+)$/m.exec(found) ?? [];
    expect(Number(age)).toBeGreaterThanOrEqual(60);
    expect(Number(age)).toBeLessThan(90);
  });
});
