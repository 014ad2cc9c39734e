import { randomUUID } from "node:crypto";
import type { Socket } from "node:net";
import { errorCode } from "../process/error-code.ts";
import type { MessageFault } from "./message-fault.ts";
import { requestIdHeader } from "./request-id.ts";

/** What is not the usual 400, by Node's codes. */
const byCode: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

const phrases: Readonly<Record<number, string>> = {
  400: "Bad Request",
  408: "Request Timeout",
  413: "Content Too Large",
  417: "Expectation Failed",
  429: "Too Many Requests",
  431: "Request Header Fields Too Large",
  503: "Service Unavailable",
  505: "HTTP Version Not Supported",
};

/** Phrase and JSON envelope of a refusal that no handler takes part in. */
export const bareRefusal = (
  status: number,
  detail?: string,
): { readonly phrase: string; readonly body: string } => {
  const phrase = phrases[status] ?? "Bad Request";
  const body = detail === undefined ? { message: phrase } : { message: phrase, errors: [detail] };
  return { phrase, body: JSON.stringify(body) };
};

const isFault = (error: unknown): error is MessageFault =>
  typeof error === "object" && error !== null && "status" in error && "detail" in error;

/**
 * Answers what never becomes a request with an envelope, and ends the connection.
 *
 * @param error a fault of the message, or an error of Node's parser.
 */
export const refuseConnection = (error: unknown, socket: Socket): void => {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const status = isFault(error) ? error.status : (byCode[errorCode(error)] ?? 400);
  const { phrase, body } = bareRefusal(status, isFault(error) ? error.detail : undefined);
  socket.end(
    `HTTP/1.1 ${status} ${phrase}\r\nContent-Type: application/json; charset=utf-8\r\nCache-Control: no-store\r\n` +
      (status === 503 ? "Retry-After: 1\r\n" : "") +
      // The id that was sent is not known here; without one the gateway would not take the answer for a service's.
      `${requestIdHeader}: ${randomUUID()}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    // A caller who neither reads nor ends its side does not keep the connection.
    () => setTimeout(() => socket.destroy(), drainMs).unref(),
  );
};

const drainMs = 1_000;
