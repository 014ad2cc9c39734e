import type { Agent, IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { LookupFunction } from "node:net";
import type { HeaderList } from "@ikg/auth";
import { createProxyMiddleware } from "http-proxy-middleware";
import { ForeignAnswer } from "./foreign-answer.ts";
import { keepAliveAgent } from "./keep-alive-agent.ts";
import { isRepeatable } from "./repeatable.ts";
import { hasBody } from "./short-body.ts";
import { StreamedExchange } from "./streamed-exchange.ts";
import { type ConnectionCounts, hasLeft, type Limits, type Transport } from "./transport.ts";
import { UpstreamFailure } from "./upstream-failure.ts";
import type { UpstreamTls } from "./upstream-tls.ts";

const headerRecord = (list: Readonly<HeaderList>): IncomingHttpHeaders => {
  const record: Record<string, string | string[]> = {};
  for (let at = 0; at < list.length; at += 2) {
    const [name = "", value = ""] = list.slice(at, at + 2);
    const key = name.toLowerCase();
    const known = record[key];
    record[key] = known === undefined ? value : [known, value].flat();
  }
  return record;
};

/** Of an answer: Node would warn of more than 10. */
const listeners = 20;

const total = (lists: NodeJS.ReadOnlyDict<readonly unknown[]>): number =>
  Object.values(lists).reduce((sum, list = []) => sum + list.length, 0);

const countConnections = ({ sockets, freeSockets, requests }: Agent): ConnectionCounts => ({
  inUse: total(sockets),
  idle: total(freeSockets),
  waiting: total(requests),
});

/** Not after an answer: the library breaks off the response to the caller where it ends early. */
const isLostRead = (request: IncomingMessage, error: unknown): boolean =>
  error instanceof UpstreamFailure &&
  error.kind === "lost" &&
  !(error.cause instanceof ForeignAnswer) &&
  isRepeatable(request.method, hasBody(request));

/**
 * Bodies and answers of any length, by http-proxy-middleware: both pass as they come.
 *
 * @param target base address of the service.
 * @param sockets connections at most; requests beyond wait for a free one.
 */
export const openStreamingTransport = (
  target: URL,
  sockets: number,
  lookup: LookupFunction,
  tls: UpstreamTls,
): Transport => {
  const agent = keepAliveAgent(target, sockets, lookup, tls);
  const exchanges = new WeakMap<IncomingMessage, StreamedExchange>();
  const proxy = createProxyMiddleware({
    target,
    agent,
    selfHandleResponse: true,
    // The library's own plugins would log failures and answer them.
    ejectPlugins: true,
    plugins: [
      (server) => {
        server.on("proxyReq", (outgoing, request) => {
          // The library asks for a connection's end after chunks. A service that ends it early loses its answer to what
          // still arrives; Node frames the chunks again, so that the connection can stay.
          outgoing.setHeader("Connection", "keep-alive");
          exchanges.get(request)?.onSocket(outgoing);
        });
        server.on("proxyRes", (answer, request) => exchanges.get(request)?.onAnswer(answer));
        server.on("error", (error, request) => request && exchanges.get(request)?.onError(error));
        server.on("econnreset", (error, request) => exchanges.get(request)?.onError(error));
      },
    ],
  });
  const attempt = (request: IncomingMessage, response: ServerResponse, limits: Limits): Promise<void> => {
    const exchange = new StreamedExchange(request, response, limits);
    exchanges.set(request, exchange);
    void proxy(request, response, (error) => exchange.onError(error));
    return exchange.begun;
  };
  return {
    forward: async (request, headers, response, limits) => {
      // A caller may have disconnected during authentication.
      if (hasLeft(request, response)) throw new UpstreamFailure("caller_gone");
      // The library adds some for every attempt.
      response.setMaxListeners(listeners);
      const isChunked = request.headers["transfer-encoding"] !== undefined;
      // The library sends a request's own headers, so these take their place. Node frames no body of a GET by itself.
      request.headers = headerRecord(isChunked ? [...headers, "transfer-encoding", "chunked"] : headers);
      try {
        await attempt(request, response, limits);
      } catch (error) {
        if (!isLostRead(request, error)) throw error;
        await attempt(request, response, limits);
      }
    },
    connections: () => countConnections(agent),
    close: () => agent.destroy(),
  };
};
