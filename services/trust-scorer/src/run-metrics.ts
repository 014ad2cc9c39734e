import { sampleRepeatedly, type Service } from "@ikg/service";
import type { RunRecords } from "./runs/run-record.ts";
import type { ScorerMetrics } from "./scorer.ts";

/** Counts what happens in this process. */
export const countWork = (metrics: Service["metrics"]): ScorerMetrics => {
  const rows = metrics.counter("ikg_trust_scored_nodes_total", "Nodes that this process scored.");
  const runs = metrics.counter(
    "ikg_trust_runs_total",
    "Runs that ended in this process, by outcome, and slots that began none.",
    ["outcome"],
  );
  // A series that begins with its first failure shows no increase.
  for (const outcome of ["finished", "failed", "skipped"]) runs.inc({ outcome }, 0);
  const repeats = metrics.counter(
    "ikg_trust_repeated_steps_total",
    "Steps of runs that failed and were tried again.",
  );
  return {
    rows: (count) => rows.inc(count),
    run: (outcome) => runs.inc({ outcome }),
    repeated: () => repeats.inc(),
  };
};

/** Looks every few seconds how many runs are open and how old they are; the same for all processes. */
export const watchRuns = (records: RunRecords, metrics: Service["metrics"]): { close(): Promise<void> } => {
  const running = metrics.gauge("ikg_trust_runs_open", "Open runs.");
  const oldest = metrics.gauge("ikg_trust_oldest_run_seconds", "Seconds since the oldest open run began.");
  return sampleRepeatedly(async () => {
    const open = (await records.all()).flatMap(({ run }) => (run === undefined ? [] : [run]));
    running.set(open.length);
    const starts = open.map(({ startTime }) => Date.parse(startTime));
    oldest.set(starts.length === 0 ? 0 : (Date.now() - Math.min(...starts)) / 1000);
  });
};
