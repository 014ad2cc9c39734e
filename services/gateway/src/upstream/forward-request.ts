import type { IncomingMessage, ServerResponse } from "node:http";
import type { HeaderList } from "@ikg/auth";
import { type Operation, Problem, type ProblemCode } from "@ikg/contracts";
import { type Breaker, CircuitOpen } from "@ikg/egress";
import { exemptFromRequestTimeout } from "@ikg/service";
import { bodyLength } from "../body-length.ts";
import { drainAfterResponse } from "./drain-after-response.ts";
import type { Limits } from "./transport.ts";
import { UpstreamFailure } from "./upstream-failure.ts";
import type { Upstream } from "./upstream.ts";

/** One service as the gateway reaches it. */
export interface GuardedUpstream {
  readonly upstream: Upstream;
  readonly breaker: Breaker;
  readonly limits: Limits;
}

/** Properties of an operation that forwarding depends on. */
export type ForwardedOperation = Pick<
  Operation,
  "method" | "writes" | "maxWaitMs" | "maxBodyBytes" | "body" | "answer"
>;

const retryAfter = { "Retry-After": "2" };

/**
 * What a lost or late request is answered with: clients repeat 502, 503 and 504
 * on their own, so none of these may follow a write that could have been carried out.
 */
const unansweredProblem = (
  operation: ForwardedOperation,
  kind: "lost" | "too_slow",
  cause: UpstreamFailure,
): Problem => {
  if (operation.writes) return new Problem("internal", { cause });
  if (operation.method !== "get") return new Problem("unavailable", { headers: retryAfter, cause });
  const code: ProblemCode = kind === "lost" ? "upstream_unreachable" : "upstream_too_slow";
  return new Problem(code, { cause });
};

/** @returns undefined for a caller that has disconnected and needs no answer. */
const problemOf = (operation: ForwardedOperation, failure: UpstreamFailure): Problem | undefined => {
  const { kind } = failure;
  switch (kind) {
    case "caller_gone":
      return undefined;
    case "body_too_large":
      return new Problem("body_too_large");
    case "body_too_slow":
      return new Problem("request_timeout", { headers: { Connection: "close" }, cause: failure });
    case "not_sent":
      return new Problem("unavailable", { headers: retryAfter, cause: failure });
    case "lost":
    case "too_slow":
      return unansweredProblem(operation, kind, failure);
  }
};

/** The limits of an operation: of its service, apart from what the operation states itself. */
const operationLimits = (
  { body, maxWaitMs = 0, maxBodyBytes = 0 }: ForwardedOperation,
  limits: Limits,
): Limits =>
  body === undefined && maxWaitMs <= limits.waitMs && maxBodyBytes <= limits.body
    ? limits
    : {
        ...limits,
        body: Math.max(limits.body, maxBodyBytes),
        waitMs: Math.max(limits.waitMs, maxWaitMs),
        ...(body === "stream" ? { body: Infinity, stream: true } : {}),
      };

/**
 * Makes a call unless the circuit is open. A half-open circuit refuses every other call until the one that tries the service has ended: a
 * body that streams may take an hour, and passes without trying it.
 */
const guarded = (breaker: Breaker, { body }: ForwardedOperation, call: () => Promise<void>): Promise<void> =>
  body === "stream" && breaker.isHalfOpen ? call() : breaker.run(call);

/**
 * Forwards a request, unless the service's circuit is open.
 *
 * @param headers sent instead of the request's own.
 * @throws Problem for every failure that is answered; nothing once the answer has begun.
 */
export const forwardRequest = async (
  { upstream, breaker, limits }: GuardedUpstream,
  operation: ForwardedOperation,
  request: IncomingMessage,
  headers: HeaderList,
  response: ServerResponse,
): Promise<void> => {
  if (operation.body === "stream") exemptFromRequestTimeout(request);
  const ownLimits = operationLimits(operation, limits);
  if (bodyLength(request) > ownLimits.body) throw new Problem("body_too_large");
  const transport = upstream.transport(request, operation.body === "stream" || operation.answer === "stream");
  try {
    await guarded(breaker, operation, () => transport.forward(request, headers, response, ownLimits));
  } catch (error) {
    if (error instanceof CircuitOpen) throw new Problem("unavailable", { headers: retryAfter, cause: error });
    if (!(error instanceof UpstreamFailure)) throw error;
    if (error.kind === "body_too_slow") drainAfterResponse(request);
    const problem = problemOf(operation, error);
    if (problem !== undefined) throw problem;
  }
};
