import type { IncomingMessage } from "node:http";
import { bearerOf, internalContextHeader, isAgentKey } from "@ikg/auth";
import type { Operation } from "@ikg/contracts";
import type { RequestContext } from "@ikg/service";

/** As it is written in answers. */
export const keyHeaderName = "X-SVC-ClientKey";
export const keyHeader = "x-svc-clientkey";
export const keyAlias = "x-ik-clientkey";
const requestIdHeader = "x-request-id";

/** Headers that belong to one connection (RFC 9110, 7.6.1), except what frames the body. */
const hopByHop = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "proxy-authenticate",
  "proxy-authorization",
  "te",
  "trailer",
  "upgrade",
  "expect",
]);

const isInternal = (name: string): boolean => name.startsWith("x-internal-");

/** The framing of a body belongs to one connection, and the request id is the gateway's own. */
const isOfConnection = (name: string): boolean =>
  hopByHop.has(name) || isInternal(name) || name === "transfer-encoding" || name === requestIdHeader;

const credentials = new Set([keyHeader, keyAlias]);

/** Headers that a message declares to be for one connection. */
const namedByConnection = ({ connection }: IncomingMessage["headers"]): readonly string[] =>
  connection === undefined || connection === "keep-alive" || connection === "close"
    ? []
    : connection.split(",").map((name) => name.trim().toLowerCase());

/** Adds the headers of a message that are forwarded, as name, value, name, value. */
const forwardHeaders = (
  headers: IncomingMessage["headers"],
  forwarded: string[],
  drop: (name: string) => boolean = () => false,
): string[] => {
  const named = namedByConnection(headers);
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined || isOfConnection(name) || named.includes(name) || drop(name)) continue;
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
  requestIdHeader,
  requestId,
  ...(traceparent === undefined ? [] : [traceHeader, traceparent]),
];

/**
 * The headers that a service is sent instead of the request's own: without those that must not reach it, and with what
 * the gateway states about the caller.
 *
 * @returns name, value, name, value
 */
export const requestHeaders = (
  request: IncomingMessage,
  operation: Operation,
  context: string,
  own: GatewayHeaders,
): string[] => {
  // A service that takes either never needs an end user's bearer, and a key that was sent as a bearer is none.
  const noBearer =
    operation.access.credential !== "client_key" || isAgentKey(bearerOf(request.rawHeaders) ?? "");
  const drop = (name: string): boolean =>
    credentials.has(name) ||
    (noBearer && name === "authorization") ||
    (name === traceHeader && own.traceparent !== undefined);
  return forwardHeaders(request.headers, [internalContextHeader, context, ...gatewayHeaders(own)], drop);
};

/** Every Authorization header of a request: of several, Node's own list has only the first. */
const authorizations = (rawHeaders: readonly string[]): string[] =>
  rawHeaders.flatMap((name, at) =>
    at % 2 === 0 && name.toLowerCase() === "authorization" ? [name, rawHeaders[at + 1] ?? ""] : [],
  );

/**
 * The same for a path that needs no key: the service judges the bearer itself, also that there is only one, and the
 * gateway states nothing about the caller.
 *
 * @param context states the address of the client alone; undefined for a service that needs none.
 * @returns name, value, name, value
 */
export const openRequestHeaders = (
  request: Pick<IncomingMessage, "headers" | "rawHeaders">,
  own: GatewayHeaders,
  context?: string,
): string[] => {
  const drop = (name: string): boolean =>
    credentials.has(name) ||
    name === "authorization" ||
    (name === traceHeader && own.traceparent !== undefined);
  const added = [
    ...(context === undefined ? [] : [internalContextHeader, context]),
    ...gatewayHeaders(own),
    ...authorizations(request.rawHeaders),
  ];
  return forwardHeaders(request.headers, added, drop);
};

/** The headers of a service's answer that its caller is sent. @returns name, value, name, value */
export const answerHeaders = (headers: IncomingMessage["headers"], requestId: string): string[] =>
  forwardHeaders(headers, [requestIdHeader, requestId]);
