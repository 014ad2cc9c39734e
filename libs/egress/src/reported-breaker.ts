import { type Breaker, type BreakerOptions, openBreaker } from "./breaker.ts";

/** Where a process reports its circuits; log and metrics of a service fit. */
export interface BreakerReports {
  readonly log: Readonly<
    Record<"info" | "warn", (message: string, fields: Readonly<Record<string, unknown>>) => unknown>
  >;
  readonly metrics: {
    gauge(
      name: string,
      help: string,
      labels: readonly string[],
    ): { set(labels: Readonly<Record<string, string>>, value: number): void };
  };
}

/** Opens the breaker of one upstream. */
export type OpenReportedBreaker = (upstream: string, options: BreakerOptions) => Breaker;

/** Breakers to the services of the suite, whose state is a number and a line of the log. */
export const reportedBreakers = ({ log, metrics }: BreakerReports): OpenReportedBreaker => {
  const state = metrics.gauge("ikg_circuit_open", "1 while calls to a service are refused.", ["upstream"]);
  return (upstream, options) => {
    state.set({ upstream }, 0);
    return openBreaker(upstream, options, {
      onOpen: () => {
        log.warn("circuit open", { upstream });
        state.set({ upstream }, 1);
      },
      onClose: () => {
        log.info("circuit closed", { upstream });
        state.set({ upstream }, 0);
      },
    });
  };
};
