import type { IncomingMessage, ServerResponse } from "node:http";
import { performance } from "node:perf_hooks";
import { traceContextOf } from "../tracing/trace-context.ts";
import { loggedRequestId, requestIdOf } from "./request-id.ts";

/** What is known about one request while it runs: for its log line, its metrics and its answer. */
export interface RequestContext {
  readonly requestId: string;
  readonly started: number;
  /** Of the trace that the request belongs to: the caller's, or one that began here. */
  traceId: string | undefined;
  /** Sent to upstream services where this process takes part in that trace. */
  traceparent: string | undefined;
  operation: string;
  /** The route's template, never the path itself: paths hold identifiers of tenants. */
  route: string;
  project: string | undefined;
  /** Network address of the client, as determined by the gateway. */
  address: string | undefined;
  /** By which the client called the proxy in front, where a trusted one says so. */
  scheme: "http" | "https" | undefined;
  /** Code of the problem that the request ended with. */
  problem: string | undefined;
}

const contexts = new WeakMap<ServerResponse, RequestContext>();

/** Creates the context of a request. */
export const beginRequestContext = (request: IncomingMessage, response: ServerResponse): RequestContext => {
  const context: RequestContext = {
    requestId: requestIdOf(request),
    started: performance.now(),
    traceId: traceContextOf(request.headers["traceparent"])?.traceId,
    traceparent: undefined,
    operation: "none",
    route: "none",
    project: undefined,
    address: undefined,
    scheme: undefined,
    problem: undefined,
  };
  contexts.set(response, context);
  return context;
};

/** The context of the request that `response` answers. */
export const requestContextOf = (response: ServerResponse): RequestContext => {
  const context = contexts.get(response);
  if (context === undefined) throw new Error("this response has no request context");
  return context;
};

/** Fields of the log line of a finished request. */
export const requestContextFields = (context: RequestContext, method: string, status: number) => ({
  request_id: loggedRequestId(context.requestId),
  ...(context.traceId === undefined ? {} : { trace_id: context.traceId }),
  operation: context.operation,
  method,
  route: context.route,
  status,
  ms: Math.round((performance.now() - context.started) * 100) / 100,
  ...(context.project === undefined ? {} : { project: context.project }),
  ...(context.address === undefined ? {} : { address: context.address }),
  ...(context.scheme === undefined ? {} : { scheme: context.scheme }),
  ...(context.problem === undefined ? {} : { problem: context.problem }),
});
