import type { IncomingMessage, ServerResponse } from "node:http";
import { performance } from "node:perf_hooks";
import { traceContextOf } from "./tracing/trace-context.ts";
import { loggedRequestId, requestIdOf } from "./request-id.ts";

/** What is known about one request while it runs: for its log line, its metrics and its answer. */
export interface Exchange {
  readonly requestId: string;
  readonly started: number;
  /** Of the trace that the request belongs to: the caller's, or one that began here. */
  traceId: string | undefined;
  /** What services behind are told of that trace, where this process takes part in it. */
  traceparent: string | undefined;
  operation: string;
  /** The route's template, never the path itself: paths hold names of tenants' things. */
  route: string;
  project: string | undefined;
  /** Code of the problem that the request ended with. */
  problem: string | undefined;
}

const exchanges = new WeakMap<ServerResponse, Exchange>();

/** Begins the record of a request. */
export const beginExchange = (request: IncomingMessage, response: ServerResponse): Exchange => {
  const exchange: Exchange = {
    requestId: requestIdOf(request),
    started: performance.now(),
    traceId: traceContextOf(request.headers["traceparent"])?.traceId,
    traceparent: undefined,
    operation: "none",
    route: "none",
    project: undefined,
    problem: undefined,
  };
  exchanges.set(response, exchange);
  return exchange;
};

/** The record of the request that `response` answers. */
export const exchangeOf = (response: ServerResponse): Exchange => {
  const exchange = exchanges.get(response);
  if (exchange === undefined) throw new Error("no exchange began for this response");
  return exchange;
};

/** Fields of the log line of a finished request. */
export const exchangeFields = (exchange: Exchange, method: string, status: number) => ({
  request_id: loggedRequestId(exchange.requestId),
  ...(exchange.traceId === undefined ? {} : { trace_id: exchange.traceId }),
  operation: exchange.operation,
  method,
  route: exchange.route,
  status,
  ms: Math.round((performance.now() - exchange.started) * 100) / 100,
  ...(exchange.project === undefined ? {} : { project: exchange.project }),
  ...(exchange.problem === undefined ? {} : { problem: exchange.problem }),
});
