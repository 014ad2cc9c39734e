import type { IncomingMessage, ServerResponse } from "node:http";
import {
  isInitializeRequest,
  LATEST_PROTOCOL_VERSION,
  SUPPORTED_PROTOCOL_VERSIONS,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { singleHeader } from "@ikg/service";
import type { Owner, Sessions } from "../sessions/sessions.ts";
import type { McpRequest } from "../mcp-request.ts";
import { handleWithLibrary } from "./library-handler.ts";
import type { Message } from "./message.ts";
import {
  answerError,
  invalidParams,
  invalidRequest,
  RpcError,
  sessionUnknown,
  transportError,
} from "./rpc.ts";
import type { BuildServer } from "./server.ts";

/** The revision 2025-11-25 and older ones: sessions. */
export interface SessionProtocol {
  post(
    mcpRequest: McpRequest,
    message: Message,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void>;
  get(mcpRequest: McpRequest, request: IncomingMessage): Promise<never>;
  delete(mcpRequest: McpRequest, request: IncomingMessage, response: ServerResponse): Promise<void>;
}

const ownerOf = ({ endpoint, user }: McpRequest): Owner => {
  const { id: project, organizationId: organization } = endpoint.view.project;
  return { organization, project, user };
};

const sessionHeader = "mcp-session-id";
const versionHeader = "mcp-protocol-version";

const sessionMissing = (): RpcError =>
  new RpcError(400, transportError, "Bad Request: Mcp-Session-Id header is required");

/** The header of a later request may name any version that this server supports, whichever was negotiated. */
const checkVersion = (request: IncomingMessage): void => {
  const version = singleHeader(request.headers[versionHeader]);
  if (version !== undefined && !SUPPORTED_PROTOCOL_VERSIONS.includes(version))
    throw new RpcError(400, transportError, "Bad Request: Unsupported protocol version");
};

const acceptableType = /(?:application\/(?:json|\*)|text\/(?:event-stream|\*)|\*\/\*)\s*(?:;|,|$)/i;

/** Clients must name JSON and event streams; one that takes JSON alone is served as well. */
const checkAccept = ({ headers }: IncomingMessage): void => {
  if (headers.accept !== undefined && !acceptableType.test(headers.accept))
    throw new RpcError(406, transportError, "Not Acceptable: application/json expected");
};

/** @throws RpcError 400 without the header, 404 for a session that this owner does not have. */
const useSession = async (
  sessions: Sessions,
  mcpRequest: McpRequest,
  request: IncomingMessage,
): Promise<string> => {
  const id = singleHeader(request.headers[sessionHeader]);
  if (id === undefined) throw sessionMissing();
  const [version] = await Promise.all([
    sessions.use(ownerOf(mcpRequest), id),
    mcpRequest.introspectionRecorded,
  ]);
  if (version === undefined) throw new RpcError(404, sessionUnknown, "Session not found");
  checkVersion(request);
  return version;
};

/** Opens a session and names it in a header, or answers what is wrong with the parameters. */
const initialize = async (
  sessions: Sessions,
  mcpRequest: McpRequest,
  message: Message,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  if (request.headers[sessionHeader] !== undefined) {
    await useSession(sessions, mcpRequest, request);
    throw new RpcError(400, invalidRequest, "Invalid Request: Server already initialized");
  }
  await mcpRequest.introspectionRecorded;
  if (!isInitializeRequest(message)) {
    answerError(response, message.id, invalidParams, "Invalid params: not those of initialize");
    return;
  }
  const { protocolVersion } = message.params;
  const version = SUPPORTED_PROTOCOL_VERSIONS.includes(protocolVersion)
    ? protocolVersion
    : LATEST_PROTOCOL_VERSION;
  const { sessions: limit } = mcpRequest.endpoint.view.project.limits;
  response.setHeader("Mcp-Session-Id", await sessions.open(ownerOf(mcpRequest), version, limit));
};

const endSession = async (
  sessions: Sessions,
  mcpRequest: McpRequest,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const id = singleHeader(request.headers[sessionHeader]);
  if (id === undefined) throw sessionMissing();
  checkVersion(request);
  const [ended] = await Promise.all([
    sessions.end(ownerOf(mcpRequest), id),
    mcpRequest.introspectionRecorded,
  ]);
  if (!ended) throw new RpcError(404, sessionUnknown, "Session not found");
  response.writeHead(200, { "Content-Length": "0" }).end();
};

/**
 * Serves sessions. Their state lives in Redis, so each request has a server and a transport of its own, and any
 * replica serves it.
 */
export const openSessionProtocol = (sessions: Sessions, build: BuildServer): SessionProtocol => ({
  post: async (mcpRequest, message, request, response) => {
    checkAccept(request);
    if (message.method === "initialize" && message.id !== undefined) {
      await initialize(sessions, mcpRequest, message, request, response);
      if (response.writableEnded) return;
      // Its version is in its parameters.
      delete request.headers[versionHeader];
    } else {
      const version = await useSession(sessions, mcpRequest, request);
      request.headers[versionHeader] ??= version;
    }
    request.headers.accept = "application/json, text/event-stream";
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    const server = build(mcpRequest, "sessions");
    try {
      await server.connect(transport);
      const fetch = transport.handleRequest.bind(transport);
      await handleWithLibrary(fetch, mcpRequest, request, response, message);
    } finally {
      await server.close();
    }
  },
  get: async (mcpRequest, request) => {
    await useSession(sessions, mcpRequest, request);
    // The server never initiates messages in a session: a stream would be silent, and clients work without it.
    throw new RpcError(405, transportError, "Method not allowed.", { Allow: "POST, DELETE" });
  },
  delete: (mcpRequest, request, response) => endSession(sessions, mcpRequest, request, response),
});
