import type { Request, RequestHandler, Response } from "express";
import type { SignContext } from "@ikg/auth";
import { exchangeOf } from "@ikg/service";
import type { AnonymousLimit } from "./anonymous-limit.ts";
import { openRequestHeaders } from "./headers.ts";
import { type GuardedUpstream, passOn, type Passing } from "./passing.ts";

/** The endpoint of a project with all that is below it, and its metadata documents (RFC 9728). */
const ofMcp = /^(?:\/mcp\/v1\/|\/\.well-known\/oauth-protected-resource(?:[/?]|$))/;

/** A tool may write: nothing that was passed on is repeated, and its loss is no invitation to try again. */
const passing = (method: string): Passing =>
  method === "GET" || method === "HEAD" ? { method: "get", writes: false } : { method: "post", writes: true };

/**
 * Passes the Model Context Protocol on: no key, no permission, bodies and answers as they come. The service behind
 * judges tokens, and knows sessions, streams and versions; the signed context tells it the client's address.
 *
 * @param upstream undefined in a deployment without it: then there is no such path.
 */
export const mcp =
  (upstream: GuardedUpstream | undefined, limit: AnonymousLimit, sign: SignContext): RequestHandler =>
  async (request: Request, response: Response, next) => {
    if (upstream === undefined || !ofMcp.test(request.url)) {
      next();
      return;
    }
    const exchange = exchangeOf(response);
    exchange.operation = "mcp";
    exchange.route = request.url.startsWith("/mcp")
      ? "/mcp/v1/:project"
      : "/.well-known/oauth-protected-resource";
    limit(request);
    const context = await sign(undefined, "mcp", request.socket.remoteAddress);
    const headers = openRequestHeaders(request, exchange, context);
    await passOn(upstream, passing(request.method), request, headers, response);
  };
