import type { IncomingMessage } from "node:http";
import { bearerOf, internalContextHeader, isAgentKey } from "@ikg/auth";
import type { Operation } from "@ikg/contracts";
import type { Exchange } from "@ikg/service";

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

/** What frames a body is said anew by whoever sends it on, and a request id is the gateway's own. */
const staysBehind = (name: string): boolean =>
  hopByHop.has(name) || isInternal(name) || name === "transfer-encoding" || name === requestIdHeader;

const credentials = new Set([keyHeader, keyAlias]);

/** Headers that a message says are for one connection. */
const namedByConnection = ({ connection }: IncomingMessage["headers"]): readonly string[] =>
  connection === undefined || connection === "keep-alive" || connection === "close"
    ? []
    : connection.split(",").map((name) => name.trim().toLowerCase());

/** The headers of a message that go on, as name, value, name, value. */
const passedOn = (
  headers: IncomingMessage["headers"],
  drop: (name: string) => boolean,
  passed: string[],
): string[] => {
  const named = namedByConnection(headers);
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined || staysBehind(name) || named.includes(name) || drop(name)) continue;
    if (typeof value === "string") passed.push(name, value);
    else for (const each of value) passed.push(name, each);
  }
  return passed;
};

const nothing = (): boolean => false;

/** What a service is told by the gateway itself. */
type Told = Pick<Exchange, "requestId" | "traceparent">;

const traceHeader = "traceparent";

/** Without traces of its own the gateway passes on what the caller sent. */
const toldOf = ({ requestId, traceparent }: Told): string[] => [
  requestIdHeader,
  requestId,
  ...(traceparent === undefined ? [] : [traceHeader, traceparent]),
];

/**
 * What a service is told instead of a request's own headers: without what must not reach it, and with what the gateway
 * says about the caller.
 *
 * @returns name, value, name, value
 */
export const requestHeaders = (
  request: IncomingMessage,
  operation: Operation,
  context: string,
  told: Told,
): string[] => {
  // A service that takes either never needs an end user's bearer, and a key that was sent as a bearer is none.
  const noBearer =
    operation.access.credential !== "client_key" || isAgentKey(bearerOf(request.rawHeaders) ?? "");
  const drop = (name: string): boolean =>
    credentials.has(name) ||
    (noBearer && name === "authorization") ||
    (name === traceHeader && told.traceparent !== undefined);
  return passedOn(request.headers, drop, [internalContextHeader, context, ...toldOf(told)]);
};

/** Every Authorization header of a request: of several, Node's own list has only the first. */
const authorizations = (rawHeaders: readonly string[]): string[] =>
  rawHeaders.flatMap((name, at) =>
    at % 2 === 0 && name.toLowerCase() === "authorization" ? [name, rawHeaders[at + 1] ?? ""] : [],
  );

/**
 * What a service is told on a path that needs no key: it judges the bearer itself, also that there is only one, and nobody
 * calls in whose name the gateway could speak.
 *
 * @param context states the address of the client alone; undefined for a service that needs none.
 * @returns name, value, name, value
 */
export const openRequestHeaders = (
  request: Pick<IncomingMessage, "headers" | "rawHeaders">,
  told: Told,
  context?: string,
): string[] => {
  const drop = (name: string): boolean =>
    credentials.has(name) ||
    name === "authorization" ||
    (name === traceHeader && told.traceparent !== undefined);
  return passedOn(request.headers, drop, [
    ...(context === undefined ? [] : [internalContextHeader, context]),
    ...toldOf(told),
    ...authorizations(request.rawHeaders),
  ]);
};

/** What a caller is told of the headers of a service's answer. @returns name, value, name, value */
export const answerHeaders = (headers: IncomingMessage["headers"], requestId: string): string[] =>
  passedOn(headers, nothing, [requestIdHeader, requestId]);
