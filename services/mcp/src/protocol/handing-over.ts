import type { IncomingMessage, ServerResponse } from "node:http";
import { toNodeHandler } from "@modelcontextprotocol/node";
import type { AuthInfo, McpHandlerRequestOptions } from "@modelcontextprotocol/server";
import type { Visit } from "../visit.ts";
import type { Message } from "./message.ts";

type Fetch = (request: Request, options?: McpHandlerRequestOptions) => Promise<Response>;

/** The visit goes with what the protocol's library passes through; it needs no token and gets none. */
export const authInfoOf = (visit: Visit): AuthInfo => ({
  token: "",
  clientId: "",
  scopes: [],
  extra: { visit },
});

export const visitOf = (info: AuthInfo | undefined): Visit => {
  const visit = info?.extra?.["visit"];
  if (visit === undefined) throw new Error("a request without a visit");
  return visit as Visit; // put there by `authInfoOf` alone
};

/** Lets the protocol's library answer a request whose message was read and checked. */
export const handOver = (
  fetch: Fetch,
  visit: Visit,
  request: IncomingMessage,
  response: ServerResponse,
  message: Message,
): Promise<void> => {
  // Nothing is decided by the name that we were called under, and not every one makes an address.
  request.headers.host = "localhost";
  const { method = "POST", url = "/" } = request;
  const handed = Object.assign(request, { auth: authInfoOf(visit), method, url });
  return toNodeHandler({ fetch })(handed, response, message);
};
