import type { IncomingMessage } from "node:http";
import { bodyLength } from "../body-length.ts";
import { UpstreamFailure } from "./upstream-failure.ts";

/** A body of a known length up to this is read whole and sent in one piece with the headers. */
const maxBytes = 64 * 1024;

export const hasBody = (request: IncomingMessage): boolean =>
  request.headers["transfer-encoding"] !== undefined || bodyLength(request) > 0;

/** True for a request without a body, and for one whose body is read before it is sent. */
export const hasShortBody = (request: IncomingMessage): boolean =>
  request.headers["transfer-encoding"] === undefined && bodyLength(request) <= maxBytes;

/**
 * Reads the whole body of a request; null when it has none. Calls back instead of returning a promise, which would cost
 * a twentieth of what the gateway does for a decision.
 *
 * @param onFailed called with `body_too_slow` when the body is not complete in time.
 */
export const readShortBody = (
  request: IncomingMessage,
  limitMs: number,
  onRead: (body: Buffer | null) => void,
  onFailed: (failure: UpstreamFailure) => void,
): void => {
  if (bodyLength(request) === 0) {
    onRead(null);
    return;
  }
  const chunks: Buffer[] = [];
  const timer = setTimeout(() => {
    request.resume();
    onFailed(new UpstreamFailure("body_too_slow"));
  }, limitMs);
  request.on("data", (chunk: Buffer) => void chunks.push(chunk));
  request.on("end", () => {
    clearTimeout(timer);
    onRead(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks));
  });
  request.on("close", () => {
    if (request.complete) return;
    clearTimeout(timer);
    onFailed(new UpstreamFailure("caller_gone"));
  });
};
