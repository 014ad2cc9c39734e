import type { ConnectionLimits } from "./connections.ts";

/** What a server allows. Node has one timeout for all requests, so these are enforced by `RequestTimeouts`. */
export interface ServerLimits {
  /** Milliseconds for the headers of a request, from its first byte, or from the opening of its connection. */
  readonly headersMs: number;
  /** Milliseconds for a request whose caller has presented no accepted credential yet. */
  readonly anonymousMs: number;
  /** Milliseconds for a request with an accepted credential. */
  readonly requestMs: number;
  /** Interval at which timeouts are checked. */
  readonly checkIntervalMs: number;
  /** Pipelined requests of one connection that wait for the one that runs. */
  readonly pipelined: number;
  readonly connections: ConnectionLimits;
}

export const defaultServerLimits: ServerLimits = {
  headersMs: 10_000,
  anonymousMs: 10_000,
  requestMs: 120_000,
  checkIntervalMs: 1_000,
  pipelined: 64,
  connections: { total: 8_192, perAddress: Infinity },
};
