import type { IncomingMessage, ServerResponse } from "node:http";
import { mcpRouteOf } from "@ikg/auth";
import { Problem } from "@ikg/contracts";
import {
  type ProjectRate,
  type ReadBody,
  requestContextOf,
  requestIdHeader,
  respond,
  type Service,
  singleHeader,
} from "@ikg/service";
import { classifyInboundRequest } from "@modelcontextprotocol/server";
import type { Request, RequestHandler, Response } from "express";
import { type AuthorizationParts, authorize } from "./endpoint/authorize.ts";
import { ChallengeError } from "./endpoint/challenge.ts";
import { type McpEndpoint, metadataOf } from "./endpoint/mcp-endpoint.ts";
import type { Origins } from "./endpoint/origin.ts";
import { type RequestTarget, targetOf } from "./endpoint/request-target.ts";
import type { CheckScopes } from "./endpoint/scopes.ts";
import type { McpRequest } from "./mcp-request.ts";
import type { SessionProtocol } from "./protocol/session-protocol.ts";
import { type Message, readMessage } from "./protocol/message.ts";
import type { StatelessProtocol } from "./protocol/stateless-protocol.ts";
import { RpcError, transportError } from "./protocol/rpc.ts";

export interface EndpointParts extends AuthorizationParts {
  readonly origins: Origins;
  /** Of the address under which clients reach the gateway. */
  readonly basePath: string;
  readonly endpointOf: (target: RequestTarget) => Promise<McpEndpoint>;
  readonly checkScopes: CheckScopes;
  /** Counts requests whose bearer was accepted. */
  readonly rate: ProjectRate;
  readonly sessionProtocol: SessionProtocol;
  readonly statelessProtocol: StatelessProtocol;
  /** What the gateway states about a request; a client that calls without it is refused. */
  readonly contextOf: Service["internalContextOf"];
  /** Bytes of one message. */
  readonly messageBytes: number;
  readonly readBody: ReadBody;
}

const methods = "GET, POST, DELETE, OPTIONS";

/** True for a message of a protocol revision with sessions, by the rules of the protocol library. */
const usesSessions = (request: IncomingMessage, message: Message): boolean => {
  const [version, method, name] = ["mcp-protocol-version", "mcp-method", "mcp-name"].map((each) =>
    singleHeader(request.headers[each]),
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

/** Sends refusals in the form of their protocol; every other error is left to the app. */
const refuse = (response: ServerResponse, error: unknown): void => {
  if (error instanceof ChallengeError) {
    requestContextOf(response).problem = `mcp_${error.status}`;
    respond(response, error.status, error.body, { "WWW-Authenticate": error.challenge });
  } else if (error instanceof RpcError) {
    requestContextOf(response).problem = `rpc_${error.code}`;
    respond(response, error.status, error.body, error.headers);
  } else throw error;
};

const serveMetadata = (endpoint: McpEndpoint, request: IncomingMessage, response: ServerResponse): void => {
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

/** Checks the scopes of a call; a call that lacks one is recorded. */
const checkCallScopes = async (
  checkScopes: CheckScopes,
  { endpoint, user, record }: McpRequest,
  message: Message,
): Promise<void> => {
  const tool = toolOf(message);
  try {
    checkScopes(endpoint, user, tool);
  } catch (error) {
    await record({ method: message.method ?? "response", tool, outcome: "denied" });
    throw error;
  }
};

/** Serves a request whose bearer was accepted. */
const serveAuthorized = async (
  { checkScopes, sessionProtocol, statelessProtocol, readBody, messageBytes }: EndpointParts,
  mcpRequest: McpRequest,
  request: Request,
  response: Response,
): Promise<void> => {
  const { endpoint, user } = mcpRequest;
  if (request.method !== "POST") {
    checkScopes(endpoint, user, undefined);
    if (request.method === "DELETE") await sessionProtocol.delete(mcpRequest, request, response);
    else await sessionProtocol.get(mcpRequest, request);
    return;
  }
  const { project } = endpoint.view;
  const message = await readMessage(request, () => readBody(request, response, messageBytes, project));
  await checkCallScopes(checkScopes, mcpRequest, message);
  await (usesSessions(request, message) ? sessionProtocol : statelessProtocol).post(
    mcpRequest,
    message,
    request,
    response,
  );
};

/** The order of the checks decides which error a request with several faults gets. */
const serveEndpoint = async (
  parts: EndpointParts,
  target: RequestTarget,
  address: string | undefined,
  request: Request,
  response: Response,
): Promise<void> => {
  const requestContext = requestContextOf(response);
  response.setHeader(requestIdHeader, requestContext.requestId);
  response.setHeader("Cache-Control", "no-store");
  if (!parts.origins.admit(request.headers, response))
    throw new RpcError(403, transportError, "Forbidden: origin or host not allowed");
  const { method } = request;
  if (method === "OPTIONS") {
    respond(response, 204, undefined, { Allow: methods });
    return;
  }
  const endpoint = await parts.endpointOf(target);
  requestContext.project = endpoint.view.project.id;
  if (method !== "GET" && method !== "POST" && method !== "DELETE")
    throw new Problem("method_not_allowed", { headers: { Allow: methods } });
  const mcpRequest = await authorize(parts, endpoint, { request, response, address });
  try {
    const { id, limits } = endpoint.view.project;
    parts.rate.take(id, limits.requests_per_second);
    await serveAuthorized(parts, mcpRequest, request, response);
  } finally {
    await mcpRequest.introspectionRecorded;
  }
};

/** Serves the endpoints of projects and their metadata documents. */
export const serveMcp =
  (parts: EndpointParts): RequestHandler =>
  async (request, response, next) => {
    const target = targetOf(request.url, parts.basePath);
    if (target === undefined) {
      next();
      return;
    }
    const isMetadata = target.kind === "metadata";
    const requestContext = requestContextOf(response);
    requestContext.operation = isMetadata ? "mcp_metadata" : "mcp";
    requestContext.route = isMetadata ? "/.well-known/oauth-protected-resource" : "/mcp/v1/:project";
    const endpoint = { method: request.method, route: mcpRouteOf(request.url) };
    const { address } = await parts.contextOf(request, endpoint);
    requestContext.address = address;
    try {
      if (isMetadata) serveMetadata(await parts.endpointOf(target), request, response);
      else await serveEndpoint(parts, target, address, request, response);
    } catch (error) {
      refuse(response, error);
    }
  };
