import type { Tenant } from "@ikg/concurrency";
import type { Egress } from "@ikg/egress";
import { openSharedBudget } from "@ikg/service";
import { type CircuitMetrics, openCircuits } from "./circuits.ts";
import { fetchValue, type Outcome } from "./fetch-value.ts";
import type { PlannedCall } from "./plan.ts";

/** Concurrent calls of a process: each may hold a response of a megabyte. One project has half of them, one organization three quarters. */
const callsInFlight = 96;
/** Calls of one project that wait for others to end. */
const callsWaiting = 10_000;

/** Metrics of calls; those of a service fit. */
export interface ResolverMetrics extends CircuitMetrics {
  histogram(
    name: string,
    help: string,
    labels: readonly string[],
  ): { observe(labels: Record<string, string>, value: number): void };
}

export interface CallParts {
  readonly egress: Egress;
  readonly metrics: ResolverMetrics;
  /** Milliseconds of one call. */
  readonly timeoutMs: number;
  /** Milliseconds after which an open circuit lets a call through; default 30 s. */
  readonly resetMs?: number;
  /** Milliseconds that a call waits for its turn at most. */
  readonly waitMs: number;
}

/** The outcome of a call, and how long it took. */
export interface CallResult {
  readonly outcome: Outcome;
  readonly ms: number;
}

/** The outcome of a value that does not fit into the page. */
export const limitExceeded: Outcome = { ok: false, reason: "limit_exceeded" };

/** Makes the calls of a process. */
export interface Calls {
  /** Makes a call when it is the project's turn. Never fails. */
  make(tenant: Tenant, call: PlannedCall, signal: AbortSignal): Promise<CallResult>;
  close(): void;
}

export const openCalls = ({ egress, metrics, timeoutMs, resetMs, waitMs }: CallParts): Calls => {
  const circuits = openCircuits(metrics, resetMs);
  const duration = metrics.histogram(
    "ikg_resolver_call_duration_seconds",
    "Duration of calls to external data resolvers, by outcome: ok, or why there is no value.",
    ["outcome"],
  );
  const turns = openSharedBudget({ total: callsInFlight, waitMs, waitingPerProject: callsWaiting }, "");
  const fetch = async ({ template, call }: PlannedCall, signal: AbortSignal): Promise<CallResult> => {
    const started = performance.now();
    const { selector } = template;
    const outcome = await fetchValue(egress, circuits.of(template), { call, selector, timeoutMs, signal });
    const ms = performance.now() - started;
    duration.observe({ outcome: outcome.ok ? "ok" : outcome.reason }, ms / 1000);
    return { outcome, ms };
  };
  return {
    make: async (tenant, call, signal) => {
      const turn = await turns.reserve(tenant, 1).catch(() => undefined);
      if (turn === undefined) return { outcome: limitExceeded, ms: 0 };
      try {
        return await fetch(call, signal);
      } finally {
        turn.release();
      }
    },
    close: () => circuits.close(),
  };
};
