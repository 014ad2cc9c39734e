import type { IncomingMessage, ServerResponse } from "node:http";
import {
  bearerOf,
  type Introspection,
  internalContextHeader,
  type IntrospectionOutcome,
  type Token,
} from "@ikg/auth";
import { type Gid, Problem, omitUndefined } from "@ikg/contracts";
import {
  auditedRequest,
  type AuditNote,
  type AuditTrail,
  clientNetwork,
  introspectionNote,
  markAuthenticated,
  onBehalfOf,
  type RepeatedRefusals,
  requestContextOf,
} from "@ikg/service";
import type { McpRequest, RecordedCall } from "../mcp-request.ts";
import { RpcError } from "../protocol/rpc.ts";
import { ChallengeError } from "./challenge.ts";
import type { McpEndpoint } from "./mcp-endpoint.ts";
import { userOf } from "./user.ts";

export interface AuthorizationParts {
  readonly introspection: Introspection;
  readonly trail: AuditTrail;
  readonly refusals: RepeatedRefusals;
}

/** A request and the client address that the gateway states. */
export interface InboundRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The client's address, as the gateway's signed context states it. */
  readonly address: string | undefined;
}

/** Status of the HTTP response to a call, by the outcome in its record. */
const statusOfCall = { success: 200, denied: 403, failed: 200 } as const;

const statusOf = (error: unknown): number =>
  error instanceof ChallengeError || error instanceof RpcError || error instanceof Problem
    ? error.status
    : 500;

const callNote = (
  chain: Gid,
  user: Token,
  { method, tool, outcome }: RecordedCall,
): AuditNote<"audit.mcp.call"> => ({
  type: "audit.mcp.call",
  chain,
  onBehalfOf: onBehalfOf(user),
  data: omitUndefined({ method, tool, outcome }),
  outcome,
});

/** Callers may send arbitrary strings as tokens, so identical refusals share one audit record. */
const recordRefusedToken = async (
  { agent }: McpEndpoint["server"],
  { request, response, address }: InboundRequest,
  outcomes: readonly IntrospectionOutcome[],
  status: number,
  refusals: RepeatedRefusals,
): Promise<void> => {
  for (const outcome of outcomes)
    await refusals.keep({
      key: [agent.project, outcome.configId, outcome.error, clientNetwork(address)].join(" "),
      request: auditedRequest(request, requestContextOf(response), address),
      caller: agent,
      status,
      note: (repeats) => introspectionNote(agent.project, outcome, repeats),
    });
};

const releaseWhenAnswered =
  (response: ServerResponse): McpRequest["onAnswered"] =>
  (release) => {
    if (response.destroyed || response.writableFinished) release();
    else response.once("close", release);
  };

/**
 * Authenticates the user of a request by its bearer token.
 *
 * @throws ChallengeError for a bearer that the endpoint does not accept.
 */
export const authorize = async (
  { introspection, trail, refusals }: AuthorizationParts,
  endpoint: McpEndpoint,
  inbound: InboundRequest,
): Promise<McpRequest> => {
  const { request, response, address } = inbound;
  const { agent } = endpoint.server;
  const outcomes: IntrospectionOutcome[] = [];
  const user = await userOf(request, endpoint, introspection, (outcome) => {
    outcomes.push(outcome);
  }).catch(async (error: unknown) => {
    await recordRefusedToken(endpoint.server, inbound, outcomes, statusOf(error), refusals);
    throw error;
  });
  markAuthenticated(request);
  const requestContext = requestContextOf(response);
  const requestTrail = trail.begin(auditedRequest(request, requestContext, address));
  for (const outcome of outcomes) requestTrail.note(() => introspectionNote(agent.project, outcome));
  return {
    endpoint,
    user,
    bearer: bearerOf(request.rawHeaders) ?? "",
    origin: String(request.headers[internalContextHeader] ?? ""),
    requestId: requestContext.requestId,
    address,
    // The introspection is recorded even when the call fails.
    introspectionRecorded: requestTrail.flush(agent, 200),
    record: async (call) => {
      requestTrail.note(() => callNote(agent.project, user, call));
      await requestTrail.flush(agent, statusOfCall[call.outcome]);
    },
    onAnswered: releaseWhenAnswered(response),
  };
};
