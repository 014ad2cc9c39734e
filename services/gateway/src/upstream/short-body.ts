import type { IncomingMessage } from "node:http";
import { UpstreamFailure } from "./upstream-failure.ts";

/** A body of a known length up to this is read whole and sent in one piece with the headers. */
const maxBytes = 64 * 1024;

const lengthOf = ({ headers }: IncomingMessage): number => Number(headers["content-length"] ?? 0);

export const hasBody = (request: IncomingMessage): boolean =>
  request.headers["transfer-encoding"] !== undefined || lengthOf(request) > 0;

/** True for a request without a body, and for one whose body is read before it is sent. */
export const hasShortBody = (request: IncomingMessage): boolean =>
  request.headers["transfer-encoding"] === undefined && lengthOf(request) <= maxBytes;

/**
 * The whole body of a request; null when it has none.
 *
 * @throws UpstreamFailure `body_too_slow` when it is not complete in time.
 */
export const readShortBody = (request: IncomingMessage, limitMs: number): Promise<Buffer> | null =>
  lengthOf(request) === 0
    ? null
    : new Promise((resolve, reject) => {
        const chunks: Buffer[] = [];
        const timer = setTimeout(() => {
          request.resume();
          reject(new UpstreamFailure("body_too_slow"));
        }, limitMs);
        request.on("data", (chunk: Buffer) => void chunks.push(chunk));
        request.once("end", () => {
          clearTimeout(timer);
          resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks));
        });
        request.once("close", () => {
          clearTimeout(timer);
          reject(new UpstreamFailure("caller_gone"));
        });
      });
