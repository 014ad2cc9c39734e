import { LRUCache } from "lru-cache";
import { internalContextHeader, signInternalContext } from "@ikg/auth";
import { type AgentCaller, Problem, type ServiceName } from "@ikg/contracts";
import { type Breaker, openBreaker } from "@ikg/egress";
import { openSharedBudget, requestIdHeader, type Service, type SharedBudget } from "@ikg/service";
import { Pool } from "undici";
import type { McpSettings } from "../settings.ts";
import type { Visit } from "../visit.ts";
import { readAnswer } from "./read-answer.ts";

/** What a service answered. */
export interface Answer {
  readonly status: number;
  readonly challenge: string | undefined;
  readonly body: unknown;
}

export interface Call {
  readonly service: "access" | "ciq";
  readonly path: string;
  readonly body: object;
  readonly explain: boolean;
  /** Aborted when nobody waits any more. */
  readonly signal: AbortSignal;
}

/** Calls a service as the agent of the MCP server, for the user of a visit. */
export type CallService = (visit: Visit, call: Call) => Promise<Answer>;

/** A service is away, slow, or its circuit is open. */
export class UpstreamUnavailable extends Error {
  override readonly name = "Away";
}

/** Users whose context was signed lately. */
const rememberedCallers = 1_000;

const connectMs = 5_000;
const idleMs = 60_000;
/** As the gateway does: replicas that are added get their share. */
const connectionMs = 60_000;

interface Way {
  readonly pool: Pool;
  /** Path of the service's address, without a slash at the end. */
  readonly base: string;
  readonly breaker: Breaker;
}

/** The caller left, its question took too long, or there is no room: says nothing about what others ask. */
const isCallers = (error: unknown): boolean =>
  error instanceof Problem ||
  (error instanceof Error && (error.name === "AbortError" || error.name === "TimeoutError"));

/** What results may take. */
interface ResultLimits {
  readonly memory: SharedBudget;
  /** Bytes of rows that one call asks for. */
  readonly resultBytes: number;
}

const textOf = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header[0] : header;

const send = async (
  { pool, base }: Way,
  { path, body, explain }: Call,
  context: string,
  visit: Visit,
  traceparent: string | undefined,
  signal: AbortSignal,
  { memory, resultBytes }: ResultLimits,
): Promise<Answer> => {
  const { requestId } = visit;
  const response = await pool.request({
    method: "POST",
    path: base + path,
    headers: {
      "content-type": "application/json",
      [internalContextHeader]: context,
      [requestIdHeader]: requestId,
      ...(traceparent === undefined ? {} : { traceparent }),
      ...(explain ? { "x-explain": "true" } : {}),
    },
    body: JSON.stringify(body),
    signal,
  });
  return {
    status: response.statusCode,
    challenge: textOf(response.headers["www-authenticate"]),
    body: await readAnswer(response.body, visit, memory, resultBytes),
  };
};

/**
 * Opens the ways to access and ciq. The token itself stays here: what it was introspected to goes with the internal
 * context, signed for this one call.
 */
export const openDownstream = (
  settings: McpSettings,
  { log, metrics, tracing, onClose }: Pick<Service, "log" | "metrics" | "tracing" | "onClose">,
): CallService => {
  const { MCP_RESULT_MEMORY_BYTES: capacity, MCP_RESULT_BYTES: resultBytes } = settings;
  const memory = openSharedBudget(
    { capacity, waitMs: 2_000, waitingPerProject: 16 },
    `too many large results at one time (setting MCP_RESULT_MEMORY_BYTES, ${capacity})`,
  );
  const results: ResultLimits = { memory, resultBytes };
  const sign = signInternalContext(settings.INTERNAL_CONTEXT_KEY);
  const open = metrics.gauge("ikg_circuit_open", "1 while calls to a service are refused.", ["upstream"]);
  const wayTo = (name: Call["service"], target: string): Way => {
    const { origin, pathname } = new URL(target);
    const pool = new Pool(origin, {
      connections: 256,
      pipelining: 1,
      allowH2: false,
      connect: { timeout: connectMs },
      clientTtl: connectionMs,
      keepAliveTimeout: idleMs,
      keepAliveMaxTimeout: idleMs,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    open.set({ upstream: name }, 0);
    const breaker = openBreaker(
      name,
      { volumeThreshold: 10, resetMs: 2_000, ignores: isCallers },
      {
        onOpen: () => {
          log.warn("circuit open", { upstream: name });
          open.set({ upstream: name }, 1);
        },
        onClose: () => {
          log.info("circuit closed", { upstream: name });
          open.set({ upstream: name }, 0);
        },
      },
    );
    onClose(`upstream ${name}`, async () => {
      breaker.shutdown();
      await pool.destroy();
    });
    return { pool, breaker, base: pathname.replace(/\/$/, "") };
  };
  const ways: Readonly<Record<Call["service"], Way>> = {
    access: wayTo("access", settings.UPSTREAM_ACCESS),
    ciq: wayTo("ciq", settings.UPSTREAM_CIQ),
  };
  const callers = new LRUCache<string, AgentCaller>({ max: rememberedCallers });
  /** One object for one caller with the same claims: signatures hang on it, here and where they are verified. */
  const callerOf = ({ door, user }: Visit): AgentCaller => {
    const caller = { ...door.server.agent, user };
    const key = JSON.stringify(caller);
    const known = callers.get(key);
    if (known !== undefined) return known;
    callers.set(key, caller);
    return caller;
  };

  return async (visit, call) => {
    const way = ways[call.service];
    const audience: ServiceName = call.service;
    const context = await sign(callerOf(visit), audience, visit.address);
    const timeout = AbortSignal.timeout(settings.MCP_TOOL_TIMEOUT_MS);
    const signal = AbortSignal.any([call.signal, timeout]);
    try {
      return await way.breaker.run(() =>
        send(way, call, context, visit, tracing.traceparent(), signal, results),
      );
    } catch (cause) {
      if (call.signal.aborted || cause instanceof Problem) throw cause;
      log.warn("tool call not answered", {
        upstream: call.service,
        request_id: visit.requestId,
        cause: cause instanceof Error ? cause.name : "",
      });
      throw new UpstreamUnavailable(call.service, { cause });
    }
  };
};
