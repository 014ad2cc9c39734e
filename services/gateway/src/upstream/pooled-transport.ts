import type { IncomingMessage } from "node:http";
import type { LookupFunction } from "node:net";
import { openConnector } from "@ikg/tls/connector";
import { type Dispatcher, Pool } from "undici";
import { connectMs, idleMs, lifetimeMs } from "./connection-times.ts";
import { exchangeByPool } from "./pooled-exchange.ts";
import { readShortBody } from "./short-body.ts";
import { hasLeft, type Transport } from "./transport.ts";
import { UpstreamFailure } from "./upstream-failure.ts";
import type { UpstreamTls } from "./upstream-tls.ts";

const newPool = (
  { origin, protocol }: URL,
  sockets: number,
  lookup: LookupFunction,
  tls: UpstreamTls,
): Pool =>
  new Pool(origin, {
    connections: sockets,
    pipelining: 1,
    allowH2: false,
    connect:
      protocol === "https:"
        ? openConnector({ lookup, timeout: connectMs, ...tls })
        : { lookup, timeout: connectMs },
    clientTtl: lifetimeMs,
    keepAliveTimeout: idleMs,
    keepAliveMaxTimeout: idleMs,
    // The limits of an operation hold instead.
    headersTimeout: 0,
    bodyTimeout: 0,
  });

const methodOf = ({ method }: IncomingMessage): Dispatcher.HttpMethod => method as Dispatcher.HttpMethod; // Node parsed it

/**
 * Requests with short bodies, over connections of undici that are kept and spread over all addresses of a name.
 *
 * @param target base address of the service.
 * @param sockets connections at most; requests beyond wait for a free one.
 */
export const openPooledTransport = (
  target: URL,
  sockets: number,
  lookup: LookupFunction,
  tls: UpstreamTls,
): Transport => {
  // A pool would take the `Host` of each request for the server's name, and open a new connection where it is another one.
  const named = target.protocol === "https:" ? { servername: target.hostname } : {};
  const base = target.pathname.replace(/\/$/, "");
  const pool = newPool(target, sockets, lookup, tls);
  return {
    forward: (request, headers, response, { bodyMs, waitMs }) =>
      new Promise((resolve, reject) => {
        const send = (body: Buffer | null): void => {
          // A caller may have disconnected while its body was read.
          if (hasLeft(request, response)) {
            reject(new UpstreamFailure("caller_gone"));
            return;
          }
          const path = base + (request.url ?? "/");
          const outgoing = { method: methodOf(request), path, headers, body, ...named };
          exchangeByPool(pool, outgoing, response, waitMs, resolve, reject);
        };
        // Or during authentication: then the body would emit no further event.
        if (hasLeft(request, response)) reject(new UpstreamFailure("caller_gone"));
        else readShortBody(request, bodyMs, send, reject);
      }),
    connections: () => {
      const { connected, free, queued } = pool.stats;
      return { inUse: connected - free, idle: free, waiting: queued };
    },
    close: () => void pool.destroy(),
  };
};
