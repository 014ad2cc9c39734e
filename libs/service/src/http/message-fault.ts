import type { IncomingMessage } from "node:http";

/** Header fields of one request; more are refused, so that none is dropped unseen. */
export const maxHeaderFields = 100;

/** Why a message is refused before a handler sees it. */
export interface MessageFault {
  readonly status: 400 | 431 | 503 | 505;
  /** Where, and what is accepted. */
  readonly detail: string;
}

/** Bytes of `uri-host [ ":" port ]` (RFC 9112, 3.2; RFC 3986, 3.2.2); empty where a target has no authority. */
const hostForm = /^[A-Za-z0-9\-._~%!$&'()*+;=:[\]]*$/;

const bad = (detail: string): MessageFault => ({ status: 400, detail });

/**
 * What Node's parser lets through although servers on the way may read it another way: two `Host` headers or a
 * malformed one (RFC 9112, 3.2), transfer codings besides `chunked`, and any of HTTP/1.0 (RFC 9112, 6.1), other
 * versions of HTTP, and more header fields than are kept.
 *
 * @returns undefined for a message that only has one reading.
 */
export const messageFault = ({ httpVersion, rawHeaders }: IncomingMessage): MessageFault | undefined => {
  if (httpVersion !== "1.1" && httpVersion !== "1.0")
    return { status: 505, detail: "version: HTTP/1.1 expected" };
  if (rawHeaders.length > 2 * maxHeaderFields)
    return { status: 431, detail: `headers: at most ${maxHeaderFields}` };
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? "";
    if (name.length === 4 && name.toLowerCase() === "host") {
      if (++hosts > 1) return bad("Host: exactly one expected");
      if (!hostForm.test(rawHeaders[at + 1] ?? ""))
        return bad("Host: host name with an optional port expected");
    } else if (name.length === 17 && name.toLowerCase() === "transfer-encoding") {
      if (httpVersion === "1.0") return bad("Transfer-Encoding: not defined for HTTP/1.0");
      if (rawHeaders[at + 1]?.toLowerCase() !== "chunked") return bad("Transfer-Encoding: chunked expected");
    }
  }
  // HTTP/1.0 knows no Host.
  return hosts === 0 && httpVersion === "1.1" ? bad("Host: exactly one expected") : undefined;
};
