import type { IncomingMessage, ServerResponse } from "node:http";
import { toNodeHandler } from "@modelcontextprotocol/node";
import type { AuthInfo, McpHandlerRequestOptions } from "@modelcontextprotocol/server";
import type { McpRequest } from "../mcp-request.ts";
import type { Message } from "./message.ts";

type Fetch = (request: Request, options?: McpHandlerRequestOptions) => Promise<Response>;

/** The request travels in what the library passes through; the library needs no token and gets none. */
export const authInfoOf = (mcpRequest: McpRequest): AuthInfo => ({
  token: "",
  clientId: "",
  scopes: [],
  extra: { mcpRequest },
});

export const mcpRequestOf = (info: AuthInfo | undefined): McpRequest => {
  const mcpRequest = info?.extra?.["mcpRequest"];
  if (mcpRequest === undefined) throw new Error("the library passed no request on");
  return mcpRequest as McpRequest; // put there by `authInfoOf` alone
};

/** Lets the library answer a request whose message was read and checked. */
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
