import type { Request, RequestHandler, Response } from "express";
import type { SignContext } from "@ikg/auth";
import { exchangeOf } from "@ikg/service";
import { openAcceptedBearers } from "./accepted-bearers.ts";
import type { AnonymousLimit } from "./anonymous-limit.ts";
import { openRequestHeaders } from "./headers.ts";
import { type GuardedUpstream, proxyRequest, type Passing } from "./proxy-request.ts";

/** The endpoint of a project with all that is below it, and its metadata documents (RFC 9728). */
const ofMcp = /^(?:\/mcp\/v1\/|\/\.well-known\/oauth-protected-resource(?:[/?]|$))/;

/** Where messages go; below it are documents for everybody. */
const isEndpoint = (path: string): boolean => /^\/mcp\/v1\/[^/]+\/?$/.test(path);

/** A message that was answered without an error had a bearer that was accepted; one whose caller left has no answer. */
const isAccepted = ({ method, path }: Request, { headersSent, statusCode }: Response): boolean =>
  method === "POST" && isEndpoint(path) && headersSent && statusCode >= 200 && statusCode < 300;

/** A tool may write: nothing that was passed on is repeated, and its loss is no invitation to try again. */
const passing = (method: string): Passing =>
  method === "GET" || method === "HEAD" ? { method: "get", writes: false } : { method: "post", writes: true };

/**
 * Passes the Model Context Protocol on: no key, no permission, bodies and answers as they come. The service behind
 * judges tokens, and knows sessions, streams and versions; the signed context tells it the client's address.
 *
 * A bearer that the service has not accepted yet counts as none: whoever sends invented ones is limited like whoever sends
 * nothing, and users with accepted ones behind the same address are not.
 *
 * @param upstream undefined in a deployment without it: then there is no such path.
 */
export const mcp = (
  upstream: GuardedUpstream | undefined,
  limit: AnonymousLimit,
  sign: SignContext,
): RequestHandler => {
  const accepted = openAcceptedBearers();
  return async (request: Request, response: Response, next) => {
    if (upstream === undefined || !ofMcp.test(request.url)) {
      next();
      return;
    }
    const exchange = exchangeOf(response);
    exchange.operation = "mcp";
    exchange.route = request.url.startsWith("/mcp")
      ? "/mcp/v1/:project"
      : "/.well-known/oauth-protected-resource";
    if (!isEndpoint(request.path) || !accepted.has(request)) limit(request);
    const context = await sign(undefined, "mcp", request.socket.remoteAddress);
    const headers = openRequestHeaders(request, exchange, context);
    await proxyRequest(upstream, passing(request.method), request, headers, response);
    if (isAccepted(request, response)) accepted.add(request);
  };
};
