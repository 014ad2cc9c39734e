import type { IncomingMessage, ServerResponse } from "node:http";
import { type Operation, Problem, type ProblemCode } from "@ikg/contracts";
import { type Breaker, CircuitOpen } from "@ikg/egress";
import { takesItsTime } from "@ikg/service";
import { lingerAfterAnswer } from "./drain-request.ts";
import { type Limits, PassageFailure } from "./upstream-request.ts";
import type { Upstream } from "./upstream.ts";

/** One service as the gateway reaches it. */
export interface GuardedUpstream {
  readonly upstream: Upstream;
  readonly breaker: Breaker;
  readonly limits: Limits;
}

/** Failures that say nothing about the service's health. */
export const isCallersFailure = (error: unknown): boolean =>
  error instanceof PassageFailure && ["body_too_large", "body_too_slow", "caller_gone"].includes(error.kind);

/** What passing on has to know of an operation. */
export type Passing = Pick<Operation, "method" | "writes" | "body">;

const retryAfter = { "Retry-After": "2" };

/**
 * What a lost or late request is answered with: clients repeat 502, 503 and 504
 * on their own, so none of these may follow a write that could have been carried out.
 */
const problemOf = (operation: Passing, kind: "lost" | "too_slow", cause: unknown): Problem => {
  if (operation.writes) return new Problem("internal", { cause });
  if (operation.method !== "get") return new Problem("unavailable", { headers: retryAfter, cause });
  const code: ProblemCode = kind === "lost" ? "upstream_unreachable" : "upstream_too_slow";
  return new Problem(code, { cause });
};

/**
 * Passes a request on, unless the service's circuit is open.
 *
 * @param headers what the service is told instead of the request's own: name, value, name, value.
 * @throws Problem for everything that the caller has to be told; nothing when the answer is on its way.
 */
export const proxyRequest = async (
  { upstream, breaker, limits }: GuardedUpstream,
  operation: Passing,
  request: IncomingMessage,
  headers: string[],
  response: ServerResponse,
): Promise<void> => {
  const stream = operation.body === "stream";
  if (stream) takesItsTime(request);
  const ours = stream ? { ...limits, body: Infinity, stream } : limits;
  if (Number(request.headers["content-length"] ?? 0) > ours.body) throw new Problem("body_too_large");
  try {
    await breaker.run(() => upstream.pass(request, headers, response, ours));
  } catch (error) {
    if (error instanceof CircuitOpen) throw new Problem("unavailable", { headers: retryAfter, cause: error });
    if (!(error instanceof PassageFailure)) throw error;
    switch (error.kind) {
      case "caller_gone":
        return;
      case "body_too_large":
        throw new Problem("body_too_large");
      case "body_too_slow":
        lingerAfterAnswer(request);
        throw new Problem("request_timeout", { headers: { Connection: "close" }, cause: error });
      case "not_passed_on":
        throw new Problem("unavailable", { headers: retryAfter, cause: error });
      case "lost":
      case "too_slow":
        throw problemOf(operation, error.kind, error);
    }
  }
};
