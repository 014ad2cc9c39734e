import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";

export const requestIdHeader = "X-Request-ID";

/** What Node accepts as the value of a header; anything else never came through its parser. */
const settable = /^[\t\x20-\x7e\x80-\xff]+$/;
const loggedCharacters = 128;

/** The request's own id, echoed as it was sent, or a new UUID. */
export const requestIdOf = (request: IncomingMessage): string => {
  const sent = request.headers["x-request-id"];
  return typeof sent === "string" && settable.test(sent) ? sent : randomUUID();
};

/** The id as logs show it: 128 visible characters at most. */
export const loggedRequestId = (id: string): string =>
  id
    .slice(0, loggedCharacters * 4)
    .replaceAll(/[^\x21-\x7e]/g, "")
    .slice(0, loggedCharacters);
