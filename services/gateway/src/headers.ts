import type { IncomingMessage } from "node:http";
import { bearerOf, isAgentKey } from "@ikg/auth";
import type { Operation } from "@ikg/contracts";
import { type RequestContext, requestIdKey } from "@ikg/service";

/*
 * Which headers the gateway forwards, drops and adds. To drop another header from requests add it to
 * `droppedFromRequests`, to drop one in both directions to `droppedBothWays`; each has a line in `headers.test.ts`.
 * `Authorization` is in neither set: `requestHeaders` and `publicRequestHeaders` decide by the operation.
 *
 * Two headers are set elsewhere: `X-Token-Expires` of answers in `account-tokens.ts`, and the `Host` of a request that came
 * through a trusted proxy in `client-address/note-client.ts`. The headers of the internal context are made by
 * `internal-context` of `libs/auth`.
 *
 * Headers of connections also change in `upstream/streaming-transport.ts` (`Connection`, and `Transfer-Encoding` of a
 * body in chunks) and in `upstream/streamed-exchange.ts` (`Connection: close` after a body that is not read to its
 * end). Behind the gateway the MCP service adjusts `Mcp-Protocol-Version`, `Accept` and `Host` for its library
 * (`protocol/legacy.ts` and `protocol/library-handler.ts` of `services/mcp`). The calls of mcp to access and ciq forward
 * nothing: `tools/downstream.ts` builds their headers.
 */

/** As it is written in answers. */
export const keyHeaderName = "X-SVC-ClientKey";
export const keyHeader = "x-svc-clientkey";
export const keyAlias = "x-ik-clientkey";

/**
 * Headers that are dropped in both directions: those that belong to one connection (RFC 9110, 7.6.1), and what Node or the
 * gateway sends anew.
 */
const droppedBothWays: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "proxy-authenticate",
  "proxy-authorization",
  "te",
  "trailer",
  "upgrade",
  "expect",
  // Node frames a body in chunks anew.
  "transfer-encoding",
  // Sent anew in both directions, by `gatewayHeaders` and `answerHeaders`.
  requestIdKey,
]);

/** Headers between services of the suite; a caller can neither send nor see them. */
const isInternal = (name: string): boolean => name.startsWith("x-internal-");

/** Headers that are dropped from requests; answers may carry them. */
const droppedFromRequests: ReadonlySet<string> = new Set([
  keyHeader,
  keyAlias,
  // What proxies say of the client: `client-address` reads it, and the signed context tells what is believed of it.
  "forwarded",
  "x-real-ip",
]);

/** `X-Forwarded-*`: what proxies say of the client in headers of their own choice. Dropped from requests, too. */
const isXForwarded = (name: string): boolean => name.startsWith("x-forwarded-");

/** Headers that a message declares to be for one connection. */
const namedByConnection = ({ connection }: IncomingMessage["headers"]): readonly string[] =>
  connection === undefined || connection === "keep-alive" || connection === "close"
    ? []
    : connection.split(",").map((name) => name.trim().toLowerCase());

/** Adds the headers of a message that are forwarded, as name, value, name, value. */
const forwardHeaders = (
  headers: IncomingMessage["headers"],
  forwarded: string[],
  isDropped: (name: string) => boolean = () => false,
): string[] => {
  const named = namedByConnection(headers);
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined || droppedBothWays.has(name) || isInternal(name)) continue;
    if (named.includes(name) || isDropped(name)) continue;
    if (typeof value === "string") forwarded.push(name, value);
    else for (const each of value) forwarded.push(name, each);
  }
  return forwarded;
};

/** What the gateway itself says of a request. */
type GatewayHeaders = Pick<RequestContext, "requestId" | "traceparent">;

const traceHeader = "traceparent";

/** Without traces of its own the gateway forwards the caller's trace context. */
const gatewayHeaders = ({ requestId, traceparent }: GatewayHeaders): string[] => [
  requestIdKey,
  requestId,
  ...(traceparent === undefined ? [] : [traceHeader, traceparent]),
];

/** Which headers are dropped from a request, besides those that are dropped in both directions. */
const isDroppedFromRequest =
  ({ traceparent }: GatewayHeaders, dropsAuthorization: boolean) =>
  (name: string): boolean =>
    droppedFromRequests.has(name) ||
    isXForwarded(name) ||
    (dropsAuthorization && name === "authorization") ||
    (traceparent !== undefined && name === traceHeader);

/**
 * The headers that a service is sent instead of the request's own: without those that must not reach it, and with what
 * the gateway states about the caller.
 *
 * @param internalContext the headers of the internal context: name, value, name, value.
 * @param gateway what the gateway itself says of the request.
 * @returns name, value, name, value
 */
export const requestHeaders = (
  request: Pick<IncomingMessage, "headers" | "rawHeaders">,
  operation: Pick<Operation, "access">,
  internalContext: readonly string[],
  gateway: GatewayHeaders,
): string[] => {
  // Only operations with a client key take the bearer token of an end user, and a key that was sent as a bearer is none.
  const dropsAuthorization =
    operation.access.credential !== "client_key" || isAgentKey(bearerOf(request.rawHeaders) ?? "");
  const added = [...internalContext, ...gatewayHeaders(gateway)];
  return forwardHeaders(request.headers, added, isDroppedFromRequest(gateway, dropsAuthorization));
};

/** Every Authorization header of a request, by its raw headers: of several, `headers` has the first alone. */
const authorizations = (rawHeaders: readonly string[]): string[] =>
  rawHeaders.flatMap((name, at) =>
    at % 2 === 0 && name.toLowerCase() === "authorization" ? [name, rawHeaders[at + 1] ?? ""] : [],
  );

/**
 * The same for a path that needs no key. The gateway states nothing about the caller: the service verifies the bearer
 * itself, also that there is only one. So the first Authorization header, which Node lists, is replaced by all of them.
 *
 * @param internalContext states the address of the client alone: name, value; none for a service that needs none.
 * @returns name, value, name, value
 */
export const publicRequestHeaders = (
  request: Pick<IncomingMessage, "headers" | "rawHeaders">,
  gateway: GatewayHeaders,
  internalContext: readonly string[] = [],
): string[] => {
  const added = [...internalContext, ...gatewayHeaders(gateway), ...authorizations(request.rawHeaders)];
  return forwardHeaders(request.headers, added, isDroppedFromRequest(gateway, true));
};

/** The headers of a service's answer that its caller is sent. @returns name, value, name, value */
export const answerHeaders = (headers: IncomingMessage["headers"], requestId: string): string[] =>
  forwardHeaders(headers, [requestIdKey, requestId]);
