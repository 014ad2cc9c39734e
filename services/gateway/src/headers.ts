import type { IncomingMessage } from "node:http";
import { bearerOf, isAgentKey } from "@ikg/auth";
import type { Operation } from "@ikg/contracts";
import { type RequestContext, requestIdKey } from "@ikg/service";

/*
 * Which headers pass the gateway, and which it adds. To strip another header from requests add it to
 * `notSentToServices`, to strip one in both directions to `neverForwarded`; each has a line in `headers.test.ts`.
 *
 * Headers of connections also change in `upstream/streaming-transport.ts` (`Connection`, and `Transfer-Encoding` of a
 * body in chunks) and in `upstream/streamed-exchange.ts` (`Connection: close` after a body that is not read to its
 * end). Behind the gateway the MCP service adjusts `Mcp-Protocol-Version`, `Accept` and `Host` for its library
 * (`protocol/legacy.ts` and `protocol/library-handler.ts` of `services/mcp`).
 */

/** As it is written in answers. */
export const keyHeaderName = "X-SVC-ClientKey";
export const keyHeader = "x-svc-clientkey";
export const keyAlias = "x-ik-clientkey";

/**
 * Headers that pass in neither direction: those that belong to one connection (RFC 9110, 7.6.1), the framing of a body
 * in chunks, which Node does anew, and the request id, which the gateway states itself.
 */
const neverForwarded: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "proxy-authenticate",
  "proxy-authorization",
  "te",
  "trailer",
  "upgrade",
  "expect",
  "transfer-encoding",
  requestIdKey,
]);

/** What the parts of the suite tell each other; a caller can neither send nor see it. */
const isInternal = (name: string): boolean => name.startsWith("x-internal-");

/** Headers of a request that end at the gateway; answers may carry them. */
const notSentToServices: ReadonlySet<string> = new Set([
  keyHeader,
  keyAlias,
  // What proxies say of the client: `client-address` reads it, and the signed context tells what is believed of it.
  "forwarded",
  "x-real-ip",
]);

/** The others of these headers: of every proxy its own. */
const isForwarded = (name: string): boolean => name.startsWith("x-forwarded-");

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
    if (value === undefined || neverForwarded.has(name) || isInternal(name)) continue;
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

/** Which headers of a request are not forwarded besides those that never are. */
const droppedFromRequest =
  ({ traceparent }: GatewayHeaders, dropsAuthorization: boolean) =>
  (name: string): boolean =>
    notSentToServices.has(name) ||
    isForwarded(name) ||
    (dropsAuthorization && name === "authorization") ||
    (traceparent !== undefined && name === traceHeader);

/**
 * The headers that a service is sent instead of the request's own: without those that must not reach it, and with what
 * the gateway states about the caller.
 *
 * @param context the headers of the internal context: name, value, name, value.
 * @returns name, value, name, value
 */
export const requestHeaders = (
  request: Pick<IncomingMessage, "headers" | "rawHeaders">,
  operation: Pick<Operation, "access">,
  context: readonly string[],
  own: GatewayHeaders,
): string[] => {
  // A service that takes either never needs an end user's bearer, and a key that was sent as a bearer is none.
  const dropsAuthorization =
    operation.access.credential !== "client_key" || isAgentKey(bearerOf(request.rawHeaders) ?? "");
  const added = [...context, ...gatewayHeaders(own)];
  return forwardHeaders(request.headers, added, droppedFromRequest(own, dropsAuthorization));
};

/** Every Authorization header of a request, by its raw headers: of several, `headers` has the first alone. */
const authorizations = (rawHeaders: readonly string[]): string[] =>
  rawHeaders.flatMap((name, at) =>
    at % 2 === 0 && name.toLowerCase() === "authorization" ? [name, rawHeaders[at + 1] ?? ""] : [],
  );

/**
 * The same for a path that needs no key. The gateway states nothing about the caller: the service judges the bearer
 * itself, also that there is only one. So the first Authorization header, which Node lists, is replaced by all of them.
 *
 * @param context states the address of the client alone: name, value; none for a service that needs none.
 * @returns name, value, name, value
 */
export const publicRequestHeaders = (
  request: Pick<IncomingMessage, "headers" | "rawHeaders">,
  own: GatewayHeaders,
  context: readonly string[] = [],
): string[] => {
  const added = [...context, ...gatewayHeaders(own), ...authorizations(request.rawHeaders)];
  return forwardHeaders(request.headers, added, droppedFromRequest(own, true));
};

/** The headers of a service's answer that its caller is sent. @returns name, value, name, value */
export const answerHeaders = (headers: IncomingMessage["headers"], requestId: string): string[] =>
  forwardHeaders(headers, [requestIdKey, requestId]);
