import type { IncomingMessage } from "node:http";
import { openPooledTransport } from "./pooled-transport.ts";
import { rotatingLookup } from "./rotating-lookup.ts";
import { hasShortBody } from "./short-body.ts";
import { openStreamingTransport } from "./streaming-transport.ts";
import { noTls, type UpstreamTls } from "./upstream-tls.ts";
import type { ConnectionCounts, Transport } from "./transport.ts";

/** One service behind the gateway. */
export interface Upstream {
  /**
   * The way of a request to the service.
   *
   * @param streams whether its body or its answer passes as it comes.
   */
  transport(request: IncomingMessage, streams: boolean): Transport;
  connections(): ConnectionCounts;
  close(): void;
}

/** Connections to one service at most; requests beyond wait for a free one. */
export interface UpstreamSockets {
  /** Of requests with short bodies. */
  readonly pooled: number;
  readonly streaming: number;
}

/**
 * Opens both ways to one service.
 *
 * @param target base address of the service.
 */
export const openUpstream = (
  target: string,
  sockets: UpstreamSockets,
  tls: UpstreamTls = noTls,
): Upstream => {
  const url = new URL(target);
  const lookup = rotatingLookup();
  const pooled = openPooledTransport(url, sockets.pooled, lookup, tls);
  const streaming = openStreamingTransport(url, sockets.streaming, lookup, tls);
  return {
    transport: (request, streams) => (streams || !hasShortBody(request) ? streaming : pooled),
    connections: () => {
      const [one, other] = [pooled.connections(), streaming.connections()];
      return {
        inUse: one.inUse + other.inUse,
        idle: one.idle + other.idle,
        waiting: one.waiting + other.waiting,
      };
    },
    close: () => {
      pooled.close();
      streaming.close();
    },
  };
};
