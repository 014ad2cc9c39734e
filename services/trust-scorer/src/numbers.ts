import { setTimeout as wait } from "node:timers/promises";
import type { Service } from "@ikg/service";
import type { RunRecords } from "./runs/run-record.ts";
import type { Told } from "./scorer.ts";
import type { Work } from "./work.ts";

/** Counts what happens in this process. */
export const countWork = (metrics: Service["metrics"]): Told => {
  const rows = metrics.counter("ikg_trust_scored_nodes_total", "Nodes that this process scored.");
  const runs = metrics.counter(
    "ikg_trust_runs_total",
    "Runs that ended in this process, by outcome, and slots that began none.",
    ["outcome"],
  );
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

const everyMs = 10_000;
const states = ["waiting", "active", "delayed", "failed"] as const;

/** Looks every few seconds how long the queues are and how old what goes on is; the same for all processes. */
export const watchQueues = (
  { slots, ranges }: Pick<Work, "slots" | "ranges">,
  records: RunRecords,
  metrics: Service["metrics"],
): { close(): Promise<void> } => {
  const jobs = metrics.gauge("ikg_trust_jobs", "Jobs of the queues of trust scores, by state.", [
    "queue",
    "state",
  ]);
  const waiting = metrics.gauge(
    "ikg_trust_oldest_waiting_seconds",
    "For how long the job waits that waits the longest.",
    ["queue"],
  );
  const running = metrics.gauge("ikg_trust_runs_open", "Runs that go on.");
  const oldest = metrics.gauge("ikg_trust_oldest_run_seconds", "Since when the oldest run goes on.");
  const stop = new AbortController();

  const look = async (): Promise<void> => {
    const now = Date.now();
    for (const [name, queue] of [
      ["slots", slots],
      ["ranges", ranges],
    ] as const) {
      const counts = await queue.getJobCounts(...states);
      for (const state of states) jobs.set({ queue: name, state }, counts[state] ?? 0);
      const [first] = await queue.getJobs(["waiting"], 0, 0, true);
      waiting.set({ queue: name }, first === undefined ? 0 : (now - first.timestamp) / 1000);
    }
    const open = (await records.all()).flatMap(({ run }) => (run === undefined ? [] : [run]));
    running.set(open.length);
    const starts = open.map(({ startTime }) => Date.parse(startTime));
    oldest.set(starts.length === 0 ? 0 : (now - Math.min(...starts)) / 1000);
  };
  const watching = (async () => {
    while (!stop.signal.aborted) {
      // Stores that are away are reported by those who need them.
      await look().catch(() => undefined);
      await wait(everyMs, undefined, { signal: stop.signal, ref: false }).catch(() => undefined);
    }
  })();
  return {
    close: async () => {
      stop.abort();
      await watching;
    },
  };
};
