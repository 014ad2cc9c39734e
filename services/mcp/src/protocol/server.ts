import { type Logger, mayExplain } from "@ikg/service";
import {
  type CallToolResult,
  type JsonSchemaType,
  type JsonSchemaValidator,
  type jsonSchemaValidator,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from "@modelcontextprotocol/server";
import { refuseCursor, type Resources } from "../resources/resources.ts";
import type { Tool } from "../tools/tool.ts";
import type { McpRequest } from "../mcp-request.ts";
import { withAuditRecord } from "./with-audit-record.ts";
import manifest from "../../package.json" with { type: "json" };

/** Revisions of the protocol with sessions, and the stateless one. */
export type ProtocolMode = "sessions" | "stateless";

/** Makes the protocol's side of one request. */
export type BuildServer = (mcpRequest: McpRequest, mode: ProtocolMode) => Server;

const serverInfo = { name: "ikg", title: "Identity knowledge graph", version: manifest.version };

const instructions =
  "Ask authzen_evaluate whether a subject may do something. Run stored knowledge queries with ciq_execute: resources/list " +
  "lists them with their parameters, resources/read says what each returns. Errors of tools are JSON with status, message " +
  "and errors; correct the arguments and try again. A status 401 with www_authenticate asks for a new sign-in.";

/** Everything depends on project and token, so no intermediary may share it. */
const privateCache = (ttlMs: number) => ({ ttlMs, cacheScope: "private" }) as const;
const cacheHints = {
  "server/discover": privateCache(3_600_000),
  "tools/list": privateCache(300_000),
  "resources/templates/list": privateCache(3_600_000),
  "resources/list": privateCache(30_000),
  "resources/read": privateCache(30_000),
};

/**
 * Accepts everything: the tools check their arguments, nothing is requested from clients, and a validator made for each
 * request would cost more than the rest of it.
 */
const noValidator: jsonSchemaValidator = {
  getValidator:
    <T>(_schema: JsonSchemaType): JsonSchemaValidator<T> =>
    (input) => ({
      valid: true,
      data: input as T, // unchecked, see above
      errorMessage: undefined,
    }),
};

const newServer = (mode: ProtocolMode): Server =>
  new Server(serverInfo, {
    capabilities: {
      tools: { listChanged: false },
      resources: mode === "stateless" ? { listChanged: true } : { listChanged: false, subscribe: false },
    },
    instructions,
    cacheHints,
    jsonSchemaValidator: noValidator,
  });

const callTool = async (
  tool: Tool,
  mcpRequest: McpRequest,
  args: unknown,
  signal: AbortSignal,
  log: Pick<Logger, "error">,
): Promise<CallToolResult> => {
  try {
    return await tool.call(mcpRequest, args, signal);
  } catch (error) {
    if (!signal.aborted)
      log.error("tool call failed", { request_id: mcpRequest.requestId, tool: tool.name, error });
    throw new ProtocolError(ProtocolErrorCode.InternalError, "Internal error");
  }
};

const serveTools = (
  server: Server,
  mcpRequest: McpRequest,
  tools: readonly Tool[],
  log: Pick<Logger, "error">,
): void => {
  const explains = mayExplain(mcpRequest.endpoint.server.agent);
  server.setRequestHandler("tools/list", ({ params }) =>
    withAuditRecord(mcpRequest, { method: "tools/list" }, () => {
      refuseCursor(params?.cursor);
      return { tools: tools.map((tool) => tool.describe(explains)) };
    }),
  );
  server.setRequestHandler("tools/call", ({ params }, { mcpReq }) =>
    withAuditRecord(mcpRequest, { method: "tools/call", tool: params.name }, () => {
      const tool = tools.find(({ name }) => name === params.name);
      if (tool === undefined)
        throw new ProtocolError(
          ProtocolErrorCode.InvalidParams,
          `Unknown tool: ${params.name.slice(0, 100)}`,
        );
      return callTool(tool, mcpRequest, params.arguments, mcpReq.signal, log);
    }),
  );
};

const serveResources = (server: Server, mcpRequest: McpRequest, resources: Resources): void => {
  const { view } = mcpRequest.endpoint;
  server.setRequestHandler("resources/list", ({ params }) =>
    withAuditRecord(mcpRequest, { method: "resources/list" }, () => resources.list(view, params?.cursor)),
  );
  server.setRequestHandler("resources/templates/list", ({ params }) =>
    withAuditRecord(mcpRequest, { method: "resources/templates/list" }, () =>
      resources.templates(params?.cursor),
    ),
  );
  server.setRequestHandler("resources/read", ({ params }) =>
    withAuditRecord(mcpRequest, { method: "resources/read" }, () => resources.read(view, params.uri)),
  );
};

/** Serves tools and resources to each request by a server of its own. */
export const serverBuilder =
  (tools: readonly Tool[], resources: Resources, log: Pick<Logger, "error">): BuildServer =>
  (mcpRequest, mode) => {
    const server = newServer(mode);
    serveTools(server, mcpRequest, tools, log);
    serveResources(server, mcpRequest, resources);
    return server;
  };
