import type { Simulation } from "@ikg/contracts";
import type { Service } from "@ikg/service";

/** Counts simulations. */
export interface SimulationMetrics {
  /** The same run, which is counted when it ends. */
  observe(run: AsyncGenerator<Simulation>): AsyncGenerator<Simulation>;
  /** Counts one that was refused because others run. */
  refused(): void;
}

/** A long simulation takes as long as its budget allows, which is two minutes at most. */
const seconds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

/** Registers the metrics of simulations with those of the process. */
export const openSimulationMetrics = (
  metrics: Pick<Service["metrics"], "counter" | "histogram">,
): SimulationMetrics => {
  const runs = metrics.counter(
    "ikg_simulation_runs_total",
    "Simulations by outcome: complete, incomplete when their time was over, refused because others run, failed or abandoned.",
    ["outcome"],
  );
  const duration = metrics.histogram(
    "ikg_simulation_duration_seconds",
    "Duration of simulations that ran.",
    [],
    seconds,
  );
  const pages = metrics.counter("ikg_simulation_pages_total", "Pages of subjects that simulations examined.");
  return {
    observe: async function* (run) {
      const since = performance.now();
      let last: Simulation | undefined;
      let isDone = false;
      try {
        for await (const each of run) {
          // Every value but the last one stands for a page.
          if (last !== undefined) pages.inc();
          last = each;
          yield each;
        }
        isDone = true;
      } finally {
        const outcome = last?.complete === true ? "complete" : "incomplete";
        runs.inc({ outcome: isDone ? outcome : "failed" });
        duration.observe((performance.now() - since) / 1000);
      }
    },
    refused: () => runs.inc({ outcome: "refused" }),
  };
};
