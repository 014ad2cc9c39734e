import type { IncomingMessage, ServerResponse } from "node:http";
import {
  isInitializeRequest,
  LATEST_PROTOCOL_VERSION,
  SUPPORTED_PROTOCOL_VERSIONS,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { Owner, Sessions } from "../sessions/sessions.ts";
import type { Visit } from "../visit.ts";
import { handOver } from "./handing-over.ts";
import type { Message } from "./message.ts";
import {
  answerError,
  invalidParams,
  invalidRequest,
  RpcRefusal,
  sessionUnknown,
  transportError,
} from "./rpc.ts";
import type { BuildServer } from "./server.ts";

/** The revision 2025-11-25 and older ones: sessions. */
export interface Legacy {
  post(visit: Visit, message: Message, request: IncomingMessage, response: ServerResponse): Promise<void>;
  get(visit: Visit, request: IncomingMessage): Promise<never>;
  delete(visit: Visit, request: IncomingMessage, response: ServerResponse): Promise<void>;
}

const ownerOf = ({ door, user }: Visit): Owner => ({ project: door.view.project.id, user });

const sessionHeader = "mcp-session-id";
const versionHeader = "mcp-protocol-version";

const textOf = (value: string | string[] | undefined): string | undefined =>
  typeof value === "string" ? value : undefined;

const sessionMissing = (): RpcRefusal =>
  new RpcRefusal(400, transportError, "Bad Request: Mcp-Session-Id header is required");

/** A version that was negotiated is one of ours; the header of a later request may name any of them. */
const checkVersion = (request: IncomingMessage): void => {
  const version = textOf(request.headers[versionHeader]);
  if (version !== undefined && !SUPPORTED_PROTOCOL_VERSIONS.includes(version))
    throw new RpcRefusal(400, transportError, "Bad Request: Unsupported protocol version");
};

const accepted = /(?:application\/(?:json|\*)|text\/(?:event-stream|\*)|\*\/\*)\s*(?:;|,|$)/i;

/** Clients must name JSON and event streams; one that takes JSON alone is served as well. */
const checkAccept = ({ headers }: IncomingMessage): void => {
  if (headers.accept !== undefined && !accepted.test(headers.accept))
    throw new RpcRefusal(406, transportError, "Not Acceptable: application/json expected");
};

/**
 * Serves sessions. What one needs lives in Redis, so each request has a server and a transport of its own, and any
 * replica serves it.
 */
export const openLegacy = (sessions: Sessions, build: BuildServer): Legacy => {
  /** @throws RpcRefusal 400 without the header, 404 for a session that this owner does not have. */
  const useSession = async (visit: Visit, request: IncomingMessage): Promise<string> => {
    const id = textOf(request.headers[sessionHeader]);
    if (id === undefined) throw sessionMissing();
    const [version] = await Promise.all([sessions.use(ownerOf(visit), id), visit.looked]);
    if (version === undefined) throw new RpcRefusal(404, sessionUnknown, "Session not found");
    checkVersion(request);
    return version;
  };

  const begin = async (
    visit: Visit,
    message: Message,
    request: IncomingMessage,
    response: ServerResponse,
  ) => {
    if (request.headers[sessionHeader] !== undefined) {
      await useSession(visit, request);
      throw new RpcRefusal(400, invalidRequest, "Invalid Request: Server already initialized");
    }
    await visit.looked;
    if (!isInitializeRequest(message)) {
      answerError(response, message.id, invalidParams, "Invalid params: not those of initialize");
      return;
    }
    const { protocolVersion } = message.params;
    const version = SUPPORTED_PROTOCOL_VERSIONS.includes(protocolVersion)
      ? protocolVersion
      : LATEST_PROTOCOL_VERSION;
    response.setHeader("Mcp-Session-Id", await sessions.open(ownerOf(visit), version));
  };

  return {
    post: async (visit, message, request, response) => {
      checkAccept(request);
      if (message.method === "initialize" && message.id !== undefined) {
        await begin(visit, message, request, response);
        if (response.writableEnded) return;
        // Its version is in its parameters.
        delete request.headers[versionHeader];
      } else {
        const version = await useSession(visit, request);
        request.headers[versionHeader] ??= version;
      }
      request.headers.accept = "application/json, text/event-stream";
      const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
      const server = build(visit, "legacy");
      try {
        await server.connect(transport);
        const fetch = transport.handleRequest.bind(transport);
        await handOver(fetch, visit, request, response, message);
      } finally {
        await server.close();
      }
    },
    get: async (visit, request) => {
      await useSession(visit, request);
      // We never speak first in a session: a stream would be silent, and clients do without.
      throw new RpcRefusal(405, transportError, "Method not allowed.", { Allow: "POST, DELETE" });
    },
    delete: async (visit, request, response) => {
      const id = textOf(request.headers[sessionHeader]);
      if (id === undefined) throw sessionMissing();
      checkVersion(request);
      const [ended] = await Promise.all([sessions.end(ownerOf(visit), id), visit.looked]);
      if (!ended) throw new RpcRefusal(404, sessionUnknown, "Session not found");
      response.writeHead(200, { "Content-Length": "0" }).end();
    },
  };
};
