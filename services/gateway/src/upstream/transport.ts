import type { IncomingMessage, ServerResponse } from "node:http";
import type { HeaderList } from "@ikg/auth";

/** Limits of one request and its answer. */
export interface Limits {
  /** Bytes of the body. */
  readonly body: number;
  /** Milliseconds for the whole body: one that trickles in does not hold a connection for longer. */
  readonly bodyMs: number;
  /** A body of any length that passes as it comes: `bodyMs` is then the longest time without a chunk. */
  readonly stream?: boolean;
  /** What such a body brings on average of every `bodyMs` at least; 0: no limit. */
  readonly streamBytesPerSecond?: number;
  /** Milliseconds from the last byte of the request to the last of the answer. */
  readonly waitMs: number;
}

export interface ConnectionCounts {
  readonly inUse: number;
  readonly idle: number;
  /** Requests that wait for a connection. */
  readonly waiting: number;
}

/** One way of forwarding requests to a service. */
export interface Transport {
  /**
   * Forwards a request and its answer. Resolves when the answer has begun.
   *
   * @param headers sent instead of the request's own.
   * @throws UpstreamFailure
   */
  forward(
    request: IncomingMessage,
    headers: HeaderList,
    response: ServerResponse,
    limits: Limits,
  ): Promise<void>;
  connections(): ConnectionCounts;
  close(): void;
}

/** True once the caller no longer waits for the answer. */
export const hasLeft = (request: IncomingMessage, response: ServerResponse): boolean =>
  response.destroyed || (request.destroyed && !request.complete);
