import type { IncomingMessage, ServerResponse } from "node:http";
import type { Introspection, Judgement } from "@ikg/auth";
import { Problem } from "@ikg/contracts";
import {
  auditedRequest,
  type AuditTrail,
  clientNetwork,
  exchangeOf,
  introspectionNote,
  markAuthenticated,
  type ReadBody,
  type RepeatedRefusals,
  requestIdHeader,
  respond,
  type Service,
} from "@ikg/service";
import { callNote } from "./call-note.ts";
import { classifyInboundRequest } from "@modelcontextprotocol/server";
import type { Request, RequestHandler, Response } from "express";
import { ChallengeError } from "./endpoint/challenge.ts";
import { type McpEndpoint, metadataOf } from "./endpoint/mcp-endpoint.ts";
import type { Origins } from "./endpoint/origin.ts";
import { type Place, placeOf } from "./endpoint/place.ts";
import type { CheckScopes } from "./endpoint/scopes.ts";
import { userOf } from "./endpoint/user.ts";
import type { Legacy } from "./protocol/legacy.ts";
import { type Message, readMessage } from "./protocol/message.ts";
import type { Modern } from "./protocol/modern.ts";
import { RpcRefusal, transportError } from "./protocol/rpc.ts";
import type { Visit } from "./visit.ts";

export interface EndpointParts {
  readonly origins: Origins;
  readonly doorOf: (place: Place) => Promise<McpEndpoint>;
  readonly introspection: Introspection;
  readonly checkScopes: CheckScopes;
  readonly legacy: Legacy;
  readonly modern: Modern;
  readonly trail: AuditTrail;
  readonly refusals: RepeatedRefusals;
  /** What the gateway states about a request; whoever calls without it is refused. */
  readonly contextOf: Service["internalContextOf"];
  /** Bytes of one message. */
  readonly messageBytes: number;
  readonly readBody: ReadBody;
}

const methods = "GET, POST, DELETE, OPTIONS";

const header = ({ headers }: IncomingMessage, name: string): string | undefined => {
  const value = headers[name];
  return typeof value === "string" ? value : undefined;
};

/** Which revision a message belongs to, as the protocol's library would decide itself. */
const isLegacy = (request: IncomingMessage, message: Message): boolean => {
  const [version, method, name] = ["mcp-protocol-version", "mcp-method", "mcp-name"].map((each) =>
    header(request, each),
  );
  return (
    classifyInboundRequest({
      httpMethod: "POST",
      ...(version === undefined ? {} : { protocolVersionHeader: version }),
      ...(method === undefined ? {} : { mcpMethodHeader: method }),
      ...(name === undefined ? {} : { mcpNameHeader: name }),
      body: message,
    }).kind === "legacy"
  );
};

const toolOf = ({ method, params }: Message): string | undefined => {
  const name = method === "tools/call" ? params?.["name"] : undefined;
  return typeof name === "string" ? name : undefined;
};

/** Status of the HTTP answer to a call, by what its record says. */
const statusOfCall = { success: 200, denied: 403, failed: 200 } as const;

const statusOf = (error: unknown): number =>
  error instanceof ChallengeError || error instanceof RpcRefusal || error instanceof Problem
    ? error.status
    : 500;

/** Says what keeps a request out; what is not ours to say goes on as it is. */
const refuse = (response: ServerResponse, error: unknown): void => {
  if (error instanceof ChallengeError) {
    exchangeOf(response).problem = `mcp_${error.status}`;
    respond(response, error.status, error.body, { "WWW-Authenticate": error.challenge });
  } else if (error instanceof RpcRefusal) {
    exchangeOf(response).problem = `rpc_${error.code}`;
    respond(response, error.status, error.body, error.headers);
  } else throw error;
};

const metadata = (endpoint: McpEndpoint, request: IncomingMessage, response: ServerResponse): void => {
  if (request.method === "OPTIONS") {
    respond(response, 204, undefined, {
      "Access-Control-Allow-Origin": "*",
      "Access-Control-Allow-Methods": "GET, OPTIONS",
      "Access-Control-Allow-Headers": "*",
    });
    return;
  }
  if (request.method !== "GET" && request.method !== "HEAD")
    throw new Problem("method_not_allowed", { headers: { Allow: "GET, HEAD, OPTIONS" } });
  respond(response, 200, metadataOf(endpoint), {
    "Cache-Control": "public, max-age=300",
    "Access-Control-Allow-Origin": "*",
  });
};

/** The whole of the service: its checks stand in the order in which they are answered. */
export const endpoint = (parts: EndpointParts): RequestHandler => {
  const { origins, doorOf, introspection, checkScopes, legacy, modern } = parts;
  const { trail, refusals, contextOf, readBody, messageBytes } = parts;

  const visited = async (visit: Visit, request: Request, response: Response): Promise<void> => {
    const { door, user, record } = visit;
    if (request.method !== "POST") {
      checkScopes(door, user, undefined);
      if (request.method === "DELETE") await legacy.delete(visit, request, response);
      else await legacy.get(visit, request);
      return;
    }
    const { id } = visit.door.view.project;
    const message = await readMessage(request, () => readBody(request, response, messageBytes, id));
    try {
      checkScopes(door, user, toolOf(message));
    } catch (error) {
      await record({ method: message.method ?? "response", tool: toolOf(message), outcome: "denied" });
      throw error;
    }
    await (isLegacy(request, message) ? legacy : modern).post(visit, message, request, response);
  };

  const serve = async (
    endpoint: McpEndpoint,
    address: string | undefined,
    request: Request,
    response: Response,
  ): Promise<void> => {
    const { method } = request;
    if (method !== "GET" && method !== "POST" && method !== "DELETE")
      throw new Problem("method_not_allowed", { headers: { Allow: methods } });
    const { agent } = endpoint.server;
    const about = auditedRequest(request, exchangeOf(response), address);
    const told = trail.begin(about);
    const judgements: Judgement[] = [];
    const user = await userOf(request, endpoint, introspection, (judgement) => {
      judgements.push(judgement);
    }).catch(async (error: unknown) => {
      // Anybody may send tokens that are none.
      for (const judgement of judgements)
        await refusals.keep({
          key: [agent.project, judgement.configId, judgement.error, clientNetwork(address)].join(" "),
          request: about,
          caller: agent,
          status: statusOf(error),
          note: (repeats) => introspectionNote(agent.project, judgement, repeats),
        });
      throw error;
    });
    for (const judgement of judgements) told.note(() => introspectionNote(agent.project, judgement));
    markAuthenticated(request);
    const { requestId } = exchangeOf(response);
    const record: Visit["record"] = async (call) => {
      told.note(() => callNote(agent.project, user, call));
      await told.keep(agent, statusOfCall[call.outcome]);
    };
    // Whatever becomes of the call, its token was looked at.
    const looked = told.keep(agent, 200);
    const onAnswered: Visit["onAnswered"] = (release) => {
      if (response.destroyed || response.writableFinished) release();
      else response.once("close", release);
    };
    const visit: Visit = { door: endpoint, user, requestId, address, looked, record, onAnswered };
    try {
      await visited(visit, request, response);
    } finally {
      await looked;
    }
  };

  return async (request, response, next) => {
    const place = placeOf(request.url);
    if (place === undefined) {
      next();
      return;
    }
    const exchange = exchangeOf(response);
    exchange.operation = place.kind === "metadata" ? "mcp_metadata" : "mcp";
    exchange.route = place.kind === "metadata" ? "/.well-known/oauth-protected-resource" : "/mcp/v1/:project";
    const { address } = await contextOf(request);
    try {
      if (place.kind === "metadata") {
        metadata(await doorOf(place), request, response);
        return;
      }
      response.setHeader(requestIdHeader, exchange.requestId);
      response.setHeader("Cache-Control", "no-store");
      if (!origins.admit(request.headers, response))
        throw new RpcRefusal(403, transportError, "Forbidden: origin or host not allowed");
      if (request.method === "OPTIONS") {
        respond(response, 204, undefined, { Allow: methods });
        return;
      }
      const endpoint = await doorOf(place);
      exchange.project = endpoint.view.project.id;
      await serve(endpoint, address, request, response);
    } catch (error) {
      refuse(response, error);
    }
  };
};
