import type { IncomingMessage } from "node:http";
import { authorizationValues, bearerOf, type HeaderList, isAgentKey } from "@ikg/auth";
import type { Operation } from "@ikg/contracts";
import { type RequestContext, requestIdKey } from "@ikg/service";

/*
 * Which headers the gateway forwards, drops and adds. Every header of a request that is not dropped reaches the service of
 * its operation, whichever that is. To drop another header from requests add it to `droppedFromRequests`, to drop one in
 * both directions to `droppedBothWays`; each has a line in `headers.test.ts`. `Authorization` is in neither set:
 * `requestHeaders` and `publicRequestHeaders` decide by the operation. A header for one service alone would be dropped
 * for the others in `requestHeaders`, by the `service` of the operation.
 *
 * Set elsewhere: the headers of the internal context in `internal-context` of `libs/auth`, `X-Token-Expires` of answers
 * in `account-tokens.ts`, and the `Host` of a request that came through a trusted proxy in
 * `client-address/note-client.ts`.
 *
 * Headers of connections also change in `upstream/streaming-transport.ts` (`Connection`, and `Transfer-Encoding` of a
 * body in chunks) and in `upstream/streamed-exchange.ts` (`Connection: close` after a body that is not read to its
 * end). Behind the gateway the MCP service adjusts `Mcp-Protocol-Version`, `Accept` and `Host` for its library
 * (`protocol/session-protocol.ts` and `protocol/library-handler.ts` of `services/mcp`). The calls of mcp to access and ciq forward
 * the bearer and the context of the gateway alone: `tools/downstream.ts` builds their headers.
 */

/** As the message of `malformed_bearer` writes it, where a request has a client key in two headers. */
export const keyHeaderName = "X-SVC-ClientKey";
export const keyHeader = "x-svc-clientkey";
export const keyHeaderAlias = "x-ik-clientkey";

/**
 * Headers that are dropped in both directions: those that belong to one connection (RFC 9110, 7.6.1), and what Node or the
 * gateway sets itself.
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
  // Node frames a body in chunks itself.
  "transfer-encoding",
  // Set in both directions, by `gatewayHeaders` and `answerHeaders`.
  requestIdKey,
]);

/** Headers between services of the suite; a caller can neither send nor see them. */
const isInternal = (name: string): boolean => name.startsWith("x-internal-");

/** Headers that are dropped from requests; answers may carry them. */
const droppedFromRequests: ReadonlySet<string> = new Set([
  keyHeader,
  keyHeaderAlias,
  // What proxies say of the client; the signed context carries the address that the gateway trusts.
  "forwarded",
  "x-real-ip",
]);

/** `X-Forwarded-*`, which proxies set: a family without a fixed list, hence a prefix. Dropped from requests, too. */
const isXForwarded = (name: string): boolean => name.startsWith("x-forwarded-");

/**
 * Headers that pass although `Connection` names them: a sender must not name one that is meant for every recipient
 * (RFC 9110, 7.6.1). A body that a service gets without its length could be read as a second request.
 */
const endToEnd: ReadonlySet<string> = new Set(["content-length", "host"]);

/**
 * Headers that a message declares to be for one connection: every caller can drop another header of its own request, but
 * none that the gateway adds.
 */
const namedByConnection = ({ connection }: IncomingMessage["headers"]): readonly string[] =>
  connection === undefined || connection === "keep-alive" || connection === "close"
    ? []
    : connection
        .split(",")
        .map((name) => name.trim().toLowerCase())
        .filter((name) => !endToEnd.has(name));

/** The headers of a message that are forwarded. */
const forwardedHeaders = (
  headers: IncomingMessage["headers"],
  isDropped: (name: string) => boolean = () => false,
): HeaderList => {
  const forwarded: HeaderList = [];
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
const gatewayHeaders = ({ requestId, traceparent }: GatewayHeaders): Readonly<HeaderList> => [
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
 * @param internalContext the headers of the internal context.
 * @param gateway what the gateway itself says of the request.
 */
export const requestHeaders = (
  request: Pick<IncomingMessage, "headers" | "rawHeaders">,
  operation: Pick<Operation, "access">,
  internalContext: Readonly<HeaderList>,
  gateway: GatewayHeaders,
): HeaderList => {
  // Only operations with a client key take the bearer token of an end user, and a key that was sent as a bearer is none.
  const dropsAuthorization =
    operation.access.credential !== "client_key" || isAgentKey(bearerOf(request.rawHeaders) ?? "");
  return [
    ...internalContext,
    ...gatewayHeaders(gateway),
    ...forwardedHeaders(request.headers, isDroppedFromRequest(gateway, dropsAuthorization)),
  ];
};

/**
 * Headers for an operation without a key: no caller identity; at most a context with the client's address. All
 * Authorization headers pass, so that the service can refuse two.
 *
 * @param internalContext empty for a service that needs none.
 */
export const publicRequestHeaders = (
  request: Pick<IncomingMessage, "headers" | "rawHeaders">,
  internalContext: Readonly<HeaderList>,
  gateway: GatewayHeaders,
): HeaderList => [
  ...internalContext,
  ...gatewayHeaders(gateway),
  ...authorizationValues(request.rawHeaders).flatMap((value) => ["authorization", value]),
  ...forwardedHeaders(request.headers, isDroppedFromRequest(gateway, true)),
];

/** The headers of a service's answer that its caller is sent. */
export const answerHeaders = (headers: IncomingMessage["headers"], requestId: string): HeaderList => [
  requestIdKey,
  requestId,
  ...forwardedHeaders(headers),
];
