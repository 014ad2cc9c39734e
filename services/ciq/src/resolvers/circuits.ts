import { LRUCache } from "lru-cache";
import { type Breaker, isOwnFailure, openBreaker } from "@ikg/egress";
import { ResolverFailure } from "./failure.ts";

/** Resolver versions with a circuit; evicting one resets its circuit. */
const maxCircuits = 1_000;

/** Concurrent calls to one resolver. */
const capacity = 32;

/** A call that was aborted because its execution is over. */
export class CallAbortedError extends Error {
  override readonly name = "CallAbortedError";
}

/** Metrics of circuits; those of a service fit. */
export interface CircuitMetrics {
  gauge(
    name: string,
    help: string,
    labels: readonly string[],
  ): { set(labels: Record<string, string>, value: number): void };
}

export interface Circuits {
  of(resolver: { readonly id: string; readonly version: number }): Breaker;
  close(): void;
}

/** Failures that do not reflect the health of the called service. */
export const isUnrelatedToHealth = (error: unknown): boolean =>
  error instanceof ResolverFailure || isOwnFailure(error) || error instanceof CallAbortedError;

/**
 * One circuit for each version of a resolver.
 *
 * @param resetMs how long an open one waits before it lets a call through.
 */
export const openCircuits = (metrics: CircuitMetrics, resetMs?: number): Circuits => {
  const circuits = new LRUCache<string, Breaker>({
    max: maxCircuits,
    dispose: (breaker) => breaker.shutdown(),
  });
  const gauge = metrics.gauge(
    "ikg_resolver_circuits",
    "Circuits of resolvers that are not closed, by state.",
    ["state"],
  );
  const count = (): void => {
    const all = [...circuits.values()];
    gauge.set({ state: "open" }, all.filter(({ isOpen }) => isOpen).length);
    gauge.set({ state: "half_open" }, all.filter(({ isHalfOpen }) => isHalfOpen).length);
  };
  count();
  const hooks = { onOpen: count, onHalfOpen: count, onClose: count };

  const make = (key: string): Breaker => {
    const breaker: Breaker = openBreaker(
      key,
      {
        capacity,
        // An aborted trial call of a half-open circuit has not shown that the service is healthy.
        ignores: (error) =>
          isUnrelatedToHealth(error) && !(error instanceof CallAbortedError && breaker.isHalfOpen),
        ...(resetMs === undefined ? {} : { resetMs }),
      },
      hooks,
    );
    circuits.set(key, breaker);
    count();
    return breaker;
  };
  return {
    of: ({ id, version }) => {
      const key = `${id}@${version}`;
      return circuits.get(key) ?? make(key);
    },
    close: () => {
      for (const breaker of circuits.values()) breaker.shutdown();
    },
  };
};
