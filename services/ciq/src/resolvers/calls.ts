import { type Tenant, untilAborted } from "@ikg/concurrency";
import type { Egress } from "@ikg/egress";
import { openSharedBudget, type Reservation } from "@ikg/service";
import { CallAbortedError, type CircuitMetrics, openCircuits } from "./circuits.ts";
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
  /**
   * Makes a call when it is the project's turn. Never fails.
   *
   * @param signal ends the call, and the wait for its turn.
   */
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
  /** @returns undefined when the call has no turn in its time. */
  const turnOf = async (tenant: Tenant, signal: AbortSignal): Promise<Reservation | undefined> => {
    const reserved = turns.reserve(tenant, 1);
    try {
      return await untilAborted(reserved, signal, () => new CallAbortedError());
    } catch {
      // A turn that comes later is the next one's.
      reserved.then(
        (turn) => turn.release(),
        () => undefined,
      );
      return undefined;
    }
  };
  return {
    make: async (tenant, call, signal) => {
      // Nothing is sent then: this gives the outcome of a call that is over.
      if (signal.aborted) return fetch(call, signal);
      const turn = await turnOf(tenant, signal);
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
