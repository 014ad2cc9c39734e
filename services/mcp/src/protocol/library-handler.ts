import type { IncomingMessage, ServerResponse } from "node:http";
import { toNodeHandler } from "@modelcontextprotocol/node";
import type { AuthInfo, McpHandlerRequestOptions } from "@modelcontextprotocol/server";
import type { McpRequest } from "../mcp-request.ts";
import type { Message } from "./message.ts";

type Fetch = (request: Request, options?: McpHandlerRequestOptions) => Promise<Response>;

/** The request is passed through the library as its authentication information; the library gets no token. */
const authInfoOf = (mcpRequest: McpRequest): AuthInfo => ({
  token: "",
  clientId: "",
  scopes: [],
  extra: { mcpRequest },
});

export const mcpRequestOf = (info: AuthInfo | undefined): McpRequest => {
  const mcpRequest = info?.extra?.["mcpRequest"];
  if (mcpRequest === undefined) throw new Error("the library did not pass on the request");
  return mcpRequest as McpRequest; // put there by `authInfoOf` alone
};

/** Handles a request by the library, once its message was read and checked. */
export const handleWithLibrary = (
  fetch: Fetch,
  mcpRequest: McpRequest,
  request: IncomingMessage,
  response: ServerResponse,
  message: Message,
): Promise<void> => {
  // No decision depends on the host, and not every Host header makes a valid URL.
  request.headers.host = "localhost";
  const { method = "POST", url = "/" } = request;
  const prepared = Object.assign(request, { auth: authInfoOf(mcpRequest), method, url });
  return toNodeHandler({ fetch })(prepared, response, message);
};
