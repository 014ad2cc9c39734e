import { type HeaderList, type McpCall, mcpOriginHeader, openContextHeaders } from "@ikg/auth";
import { type AgentCaller, Problem } from "@ikg/contracts";
import { type Breaker, type OpenReportedBreaker, reportedBreakers } from "@ikg/egress";
import {
  firstHeader,
  openSharedBudget,
  requestIdHeader,
  requestIdKey,
  type Service,
  type SharedBudget,
  upstreamTlsReport,
} from "@ikg/service";
import { openConnector } from "@ikg/tls/connector";
import { LRUCache } from "lru-cache";
import { Pool } from "undici";
import type { McpSettings } from "../settings.ts";
import type { McpRequest } from "../mcp-request.ts";
import { readAnswer } from "./read-answer.ts";

/** The response of a service. */
export interface Answer {
  readonly status: number;
  readonly challenge: string | undefined;
  readonly body: unknown;
}

export interface Call {
  /** What access and ciq accept from mcp. */
  readonly target: McpCall;
  readonly body: object;
  readonly explain: boolean;
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal;
}

/** Calls a service as the agent of the MCP server, for the user of a request. */
export type CallService = (mcpRequest: McpRequest, call: Call) => Promise<Answer>;

/** A service is unreachable, slow, or its circuit is open. */
export class UpstreamUnavailable extends Error {
  override readonly name = "UpstreamUnavailable";
}

/** Users whose context was signed lately. */
const rememberedCallers = 1_000;

const connectMs = 5_000;
const idleMs = 60_000;
/** As in the gateway: replicas that are added get their share. */
const lifetimeMs = 60_000;

interface Connection {
  readonly pool: Pool;
  /** Path of the service's address, without a slash at the end. */
  readonly base: string;
  readonly breaker: Breaker;
}

/** The caller disconnected, its call took too long, or there is no memory: not a fault of the service. */
const isCallerFailure = (error: unknown): boolean =>
  error instanceof Problem ||
  (error instanceof Error && (error.name === "AbortError" || error.name === "TimeoutError"));

/** What results may take. */
interface ResultLimits {
  readonly memory: SharedBudget;
  /** Bytes of rows that one call asks for. */
  readonly resultBytes: number;
}

const send = async (
  { pool, base }: Connection,
  { target, body, explain }: Call,
  context: Readonly<HeaderList>,
  mcpRequest: McpRequest,
  traceparent: string | undefined,
  signal: AbortSignal,
  { memory, resultBytes }: ResultLimits,
): Promise<Answer> => {
  const { requestId } = mcpRequest;
  const response = await pool.request({
    method: target.method,
    path: base + target.route,
    headers: [
      ...["content-type", "application/json"],
      ...context,
      ...[mcpOriginHeader, mcpRequest.origin, "authorization", `Bearer ${mcpRequest.bearer}`],
      ...[requestIdHeader, requestId],
      ...(traceparent === undefined ? [] : ["traceparent", traceparent]),
      ...(explain ? ["x-explain", "true"] : []),
    ],
    body: JSON.stringify(body),
    signal,
  });
  if (response.headers[requestIdKey] === undefined) {
    // A proxy or a firewall in between may respond for a service without instances.
    response.body.destroy();
    throw new Error(`answered ${response.statusCode}, but not by the service`);
  }
  return {
    status: response.statusCode,
    challenge: firstHeader(response.headers["www-authenticate"]),
    body: await readAnswer(response.body, mcpRequest, memory, resultBytes),
  };
};

const openConnection = (
  name: McpCall["service"],
  target: string,
  openBreaker: OpenReportedBreaker,
  { onClose, internalTls, log }: Pick<Service, "onClose" | "internalTls" | "log">,
): Connection => {
  const { origin, pathname, protocol } = new URL(target);
  const pool = new Pool(origin, {
    connections: 256,
    pipelining: 1,
    allowH2: false,
    connect:
      protocol === "https:"
        ? openConnector({
            timeout: connectMs,
            files: internalTls,
            onError: upstreamTlsReport(name, log),
          })
        : { timeout: connectMs },
    clientTtl: lifetimeMs,
    keepAliveTimeout: idleMs,
    keepAliveMaxTimeout: idleMs,
    // The limit of a tool call holds instead.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const breaker = openBreaker(name, { volumeThreshold: 10, resetMs: 2_000, ignores: isCallerFailure });
  onClose(`upstream ${name}`, async () => {
    breaker.shutdown();
    await pool.destroy();
  });
  return { pool, breaker, base: pathname.replace(/\/$/, "") };
};

/** The same object for the same caller and claims, because signatures are cached by it. */
const rememberCallers = (): ((mcpRequest: McpRequest) => AgentCaller) => {
  const callers = new LRUCache<string, AgentCaller>({ max: rememberedCallers });
  return ({ endpoint, user }) => {
    const caller = { ...endpoint.server.agent, user };
    const key = JSON.stringify(caller);
    const known = callers.get(key);
    if (known !== undefined) return known;
    callers.set(key, caller);
    return caller;
  };
};

const resultLimits = (settings: McpSettings): ResultLimits => {
  const { MCP_RESULT_MEMORY_BYTES: total, MCP_RESULT_BYTES: resultBytes } = settings;
  const memory = openSharedBudget(
    { total, waitMs: 2_000, waitingPerProject: 16 },
    `too many large results at one time (setting MCP_RESULT_MEMORY_BYTES, ${total})`,
  );
  return { memory, resultBytes };
};

/**
 * Opens the connections to access and ciq. They get the user's token, which they verify themselves, and the context of the
 * gateway which states that a client sent it.
 */
export const openDownstream = (
  settings: McpSettings,
  service: Pick<Service, "log" | "metrics" | "tracing" | "onClose" | "internalTls">,
): CallService => {
  const { log, tracing } = service;
  const results = resultLimits(settings);
  const contextHeaders = openContextHeaders("mcp", settings.MCP_SIGNING_KEY, settings.INTERNAL_CONTEXT_KEY);
  const openBreaker = reportedBreakers(service);
  const connections: Readonly<Record<McpCall["service"], Connection>> = {
    access: openConnection("access", settings.UPSTREAM_ACCESS, openBreaker, service),
    ciq: openConnection("ciq", settings.UPSTREAM_CIQ, openBreaker, service),
  };
  const callerOf = rememberCallers();

  return async (mcpRequest, call) => {
    const { service: name } = call.target;
    const connection = connections[name];
    const context = await contextHeaders(callerOf(mcpRequest), call.target, mcpRequest.address);
    const timeout = AbortSignal.timeout(settings.MCP_TOOL_TIMEOUT_MS);
    const signal = AbortSignal.any([call.signal, timeout]);
    try {
      return await connection.breaker.run(() =>
        send(connection, call, context, mcpRequest, tracing.traceparent(), signal, results),
      );
    } catch (cause) {
      if (call.signal.aborted || cause instanceof Problem) throw cause;
      log.warn("tool call not answered", {
        upstream: name,
        request_id: mcpRequest.requestId,
        cause: cause instanceof Error ? cause.name : "",
      });
      throw new UpstreamUnavailable(name, { cause });
    }
  };
};
