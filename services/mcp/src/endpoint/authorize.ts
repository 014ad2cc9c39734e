import type { IncomingMessage, ServerResponse } from "node:http";
import { bearerOf, type Introspection, internalContextHeader, type Judgement, type Token } from "@ikg/auth";
import { type Gid, Problem, setFields } from "@ikg/contracts";
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

/** What a request presents itself with. */
export interface Presented {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The client's address, as the gateway's signed context states it. */
  readonly address: string | undefined;
}

/** Status of the HTTP answer to a call, by what its record says. */
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
  data: setFields({ method, tool, outcome }),
  outcome,
});

/** Anybody may send tokens that are none: equal refusals share a record. */
const recordRefusedToken = async (
  { agent }: McpEndpoint["server"],
  { request, response, address }: Presented,
  judgements: readonly Judgement[],
  status: number,
  refusals: RepeatedRefusals,
): Promise<void> => {
  for (const judgement of judgements)
    await refusals.keep({
      key: [agent.project, judgement.configId, judgement.error, clientNetwork(address)].join(" "),
      request: auditedRequest(request, requestContextOf(response), address),
      caller: agent,
      status,
      note: (repeats) => introspectionNote(agent.project, judgement, repeats),
    });
};

const releaseWhenAnswered =
  (response: ServerResponse): McpRequest["onAnswered"] =>
  (release) => {
    if (response.destroyed || response.writableFinished) release();
    else response.once("close", release);
  };

/**
 * Judges the bearer of a request.
 *
 * @throws ChallengeError for a bearer that the endpoint does not accept.
 */
export const authorize = async (
  { introspection, trail, refusals }: AuthorizationParts,
  endpoint: McpEndpoint,
  presented: Presented,
): Promise<McpRequest> => {
  const { request, response, address } = presented;
  const { agent } = endpoint.server;
  const judgements: Judgement[] = [];
  const user = await userOf(request, endpoint, introspection, (judgement) => {
    judgements.push(judgement);
  }).catch(async (error: unknown) => {
    await recordRefusedToken(endpoint.server, presented, judgements, statusOf(error), refusals);
    throw error;
  });
  markAuthenticated(request);
  const requestContext = requestContextOf(response);
  const requestTrail = trail.begin(auditedRequest(request, requestContext, address));
  for (const judgement of judgements) requestTrail.note(() => introspectionNote(agent.project, judgement));
  return {
    endpoint,
    user,
    bearer: bearerOf(request.rawHeaders) ?? "",
    origin: String(request.headers[internalContextHeader] ?? ""),
    requestId: requestContext.requestId,
    address,
    // Whatever becomes of the call, its token was introspected.
    introspectionRecorded: requestTrail.keep(agent, 200),
    record: async (call) => {
      requestTrail.note(() => callNote(agent.project, user, call));
      await requestTrail.keep(agent, statusOfCall[call.outcome]);
    },
    onAnswered: releaseWhenAnswered(response),
  };
};
