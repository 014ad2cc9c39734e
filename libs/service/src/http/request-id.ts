import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** As it is written in messages. */
export const requestIdHeader = "X-Request-ID";

/** As Node and undici list it: in lower case. */
export const requestIdKey = "x-request-id";

/** What Node accepts as the value of a header; anything else never came through its parser. */
const settable = /^[\t\x20-\x7e\x80-\xff]+$/;
const loggedCharacters = 128;

/** The request's own id, echoed as it was sent, or a new UUID. */
export const requestIdOf = (request: IncomingMessage): string => {
  const sent = request.headers[requestIdKey];
  return typeof sent === "string" && settable.test(sent) ? sent : randomUUID();
};

/** The id as logs show it: 128 visible characters at most. */
export const loggedRequestId = (id: string): string =>
  id
    .slice(0, loggedCharacters * 4)
    .replaceAll(/[^\x21-\x7e]/g, "")
    .slice(0, loggedCharacters);
