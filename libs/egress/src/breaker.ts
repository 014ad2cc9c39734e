import CircuitBreaker from "opossum";

export interface BreakerOptions {
  /** Calls within 10 s below which the circuit never opens; default 5. */
  readonly volumeThreshold?: number;
  /** Milliseconds that an open circuit waits before it lets one call through; default 30,000. */
  readonly resetMs?: number;
  /** Calls at the same moment; default unlimited. */
  readonly capacity?: number;
  /** True for a failure that says nothing about the health of the service. */
  readonly ignores?: (error: unknown) => boolean;
}

export interface BreakerHooks {
  onOpen?(name: string): void;
  onClose?(name: string): void;
  /** An open circuit lets one call through. */
  onHalfOpen?(name: string): void;
}

/** A call was refused because the circuit is open; nothing was sent. */
export class CircuitOpen extends Error {
  override readonly name = "CircuitOpen";
}

/** A call was refused because the maximum number of calls is in flight; nothing was sent. */
export class CircuitFull extends CircuitOpen {}

export interface Breaker {
  /**
   * Runs `action` unless the circuit is open. Time limits are the action's own.
   *
   * @throws CircuitOpen when it is open, CircuitFull when it is full, else what `action` throws.
   */
  run<T>(action: () => Promise<T>): Promise<T>;
  readonly isOpen: boolean;
  readonly isHalfOpen: boolean;
  shutdown(): void;
}

const refusals = new Set(["EOPENBREAKER", "ESHUTDOWN"]);

const isRefusal = (error: unknown): boolean =>
  error instanceof Error && "code" in error && typeof error.code === "string" && refusals.has(error.code);

/** A circuit breaker that opens when more than half of the calls within 10 s fail. */
export const openBreaker = (
  name: string,
  options: BreakerOptions = {},
  hooks: BreakerHooks = {},
): Breaker => {
  const circuit = new CircuitBreaker((action: () => Promise<unknown>) => action(), {
    name,
    timeout: false,
    errorThresholdPercentage: 50,
    volumeThreshold: options.volumeThreshold ?? 5,
    rollingCountTimeout: 10_000,
    rollingPercentilesEnabled: false,
    resetTimeout: options.resetMs ?? 30_000,
    errorFilter: (error: unknown) => options.ignores?.(error) ?? false,
  });
  const { capacity = Infinity } = options;
  let running = 0;
  circuit.on("open", () => hooks.onOpen?.(name));
  circuit.on("close", () => hooks.onClose?.(name));
  circuit.on("halfOpen", () => hooks.onHalfOpen?.(name));
  return {
    run: async <T>(action: () => Promise<T>): Promise<T> => {
      // Counted here: opossum counts a call beyond its capacity as a failure, and a burst would open the circuit.
      if (running >= capacity) throw new CircuitFull(name);
      running++;
      try {
        // The circuit returns the result of the action.
        return (await circuit.fire(action)) as T;
      } catch (error) {
        if (isRefusal(error)) throw new CircuitOpen(name, { cause: error });
        throw error;
      } finally {
        running--;
      }
    },
    get isOpen() {
      return circuit.opened;
    },
    get isHalfOpen() {
      return circuit.halfOpen;
    },
    shutdown: () => circuit.shutdown(),
  };
};
