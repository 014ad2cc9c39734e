import type { IncomingMessage, ServerResponse } from "node:http";
import { Pool } from "undici";
import { type Limits, UpstreamRequest } from "./upstream-request.ts";
import { rotatingLookup } from "./rotating-lookup.ts";

/** Shorter than a service keeps a connection open for, so that the side that sends also ends it. */
const idleMs = 60_000;
/** How long a connection is used at most: services that are added get their share within this time. */
const connectionMs = 60_000;
const connectMs = 5_000;

/** One service behind the gateway. */
export interface Upstream {
  /**
   * Streams a request to the service and its answer back. Resolves when the answer has begun.
   *
   * @param headers what the service is told instead of the request's own: name, value, name, value.
   * @throws PassageFailure
   */
  pass(request: IncomingMessage, headers: string[], response: ServerResponse, limits: Limits): Promise<void>;
  /** Its connections now, and the requests that wait for one. */
  connections(): { readonly inUse: number; readonly idle: number; readonly waiting: number };
  close(): void;
}

/**
 * Opens the way to one service: connections of undici that are kept and spread over all addresses of its name.
 *
 * @param target base address of the service.
 * @param sockets connections at most; requests beyond wait for a free one.
 */
export const openUpstream = (target: string, sockets: number): Upstream => {
  const { origin, pathname } = new URL(target);
  const base = pathname.replace(/\/$/, "");
  const pool = new Pool(origin, {
    connections: sockets,
    pipelining: 1,
    allowH2: false,
    connect: { lookup: rotatingLookup(), timeout: connectMs },
    clientTtl: connectionMs,
    keepAliveTimeout: idleMs,
    keepAliveMaxTimeout: idleMs,
    // The limits of an operation hold instead.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return {
    pass: (request, headers, response, limits) =>
      new Promise((resolve, reject) => {
        new UpstreamRequest(pool, request, response, limits, resolve, reject).begin({
          path: base + (request.url ?? "/"),
          headers,
        });
      }),
    connections: () => {
      const { connected, free, queued } = pool.stats;
      return { inUse: connected - free, idle: free, waiting: queued };
    },
    close: () => void pool.destroy(),
  };
};
