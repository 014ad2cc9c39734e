import type { Request, RequestHandler, Response } from "express";
import { type ContextHeaders, mcpOriginOf, mcpRouteOf } from "@ikg/auth";
import { requestContextOf } from "@ikg/service";
import type { AnonymousLimit } from "./anonymous-limit.ts";
import type { ClientAddressOf } from "./client-address/client-address.ts";
import { publicRequestHeaders } from "./headers.ts";
import { bearerDigest, openRecentBearers } from "./recent-bearers.ts";
import { type ForwardedOperation, forwardRequest, type GuardedUpstream } from "./upstream/forward-request.ts";

/** The endpoint of a project with everything below it, and its metadata documents (RFC 9728). */
const mcpPath = /^(?:\/mcp\/v1\/|\/\.well-known\/oauth-protected-resource(?:[/?]|$))/;

/** The endpoint itself; the documents below it are public. */
const isEndpoint = (path: string): boolean => /^\/mcp\/v1\/[^/]+\/?$/.test(path);

/** A message that was answered without an error had an accepted bearer; one whose caller left has no answer. */
const isAccepted = ({ method, path }: Request, { headersSent, statusCode }: Response): boolean =>
  method === "POST" && isEndpoint(path) && headersSent && statusCode >= 200 && statusCode < 300;

const isRefused = ({ path }: Request, { headersSent, statusCode }: Response): boolean =>
  isEndpoint(path) && headersSent && statusCode === 401;

const acceptedMs = 600_000;
/** Short, since a token may become valid, as when its issuer publishes a key late. */
const refusedMs = 60_000;

/** A tool may write: a request that was sent is never repeated, and its loss is answered so that no client repeats it. */
const forwarding = (method: string): ForwardedOperation =>
  method === "GET" || method === "HEAD"
    ? { method: "get", writes: false, answer: "stream" }
    : { method: "post", writes: true, answer: "stream" };

/**
 * Forwards the Model Context Protocol: no key, no permission, bodies and answers as they come. The service verifies
 * tokens, and knows sessions, streams and versions; the signed context tells it the client's address, and the services that it
 * calls which bearer came to which project.
 *
 * A bearer that the service has not accepted yet proves nothing: a client that sends invented ones is limited like one
 * that sends none, and users with accepted ones behind the same address are not. One that was refused is counted with other refused
 * ones, so that a client that repeats them keeps no new one behind its address out.
 *
 * @param upstream undefined in a deployment without the service: its paths are 404.
 */
export const mcp = (
  upstream: GuardedUpstream | undefined,
  limit: AnonymousLimit,
  contextHeaders: ContextHeaders,
  addressOf: ClientAddressOf,
): RequestHandler => {
  const accepted = openRecentBearers(acceptedMs);
  const refused = openRecentBearers(refusedMs);
  return async (request: Request, response: Response, next) => {
    if (upstream === undefined || !mcpPath.test(request.url)) {
      next();
      return;
    }
    const requestContext = requestContextOf(response);
    requestContext.operation = "mcp";
    const route = mcpRouteOf(request.url);
    requestContext.route = route;
    const bearer = bearerDigest(request);
    // Metadata is public, so a credential in the request is ignored.
    if (!isEndpoint(request.path)) limit(request);
    else if (!accepted.has(bearer)) limit(request, bearer, refused.has(bearer));
    const target = { service: "mcp", method: request.method, route } as const;
    const origin = mcpOriginOf(request.url, request.rawHeaders);
    const context = await contextHeaders(undefined, target, addressOf(request), undefined, origin);
    const headers = publicRequestHeaders(request, context, requestContext);
    await forwardRequest(upstream, forwarding(request.method), request, headers, response);
    if (isAccepted(request, response)) accepted.add(bearer);
    else if (isRefused(request, response)) refused.add(bearer);
  };
};
