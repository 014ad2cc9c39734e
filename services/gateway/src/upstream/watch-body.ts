import type { IncomingMessage } from "node:http";
import { openStreamRate } from "./stream-rate.ts";
import type { Limits } from "./transport.ts";

export interface BodyHooks {
  /** True while the service takes no more: the caller could not send faster. */
  readonly isBlocked: () => boolean;
  readonly onChunk: () => void;
  readonly onLimit: (kind: "body_too_large" | "body_too_slow") => void;
}

/**
 * Checks a body against its limits while it is piped to a service.
 *
 * @returns ends the watch.
 */
export const watchBody = (
  request: IncomingMessage,
  { body: limit, bodyMs, stream = false, streamBytesPerSecond = 0 }: Limits,
  { isBlocked, onChunk, onLimit }: BodyHooks,
): (() => void) => {
  const rate = openStreamRate(streamBytesPerSecond, bodyMs);
  let size = 0;
  const timer = setTimeout(() => {
    if (request.complete) return;
    if (stream && isBlocked()) timer.refresh();
    else onLimit("body_too_slow");
  }, bodyMs);
  const count = (chunk: Buffer): void => {
    onChunk();
    size += chunk.length;
    if (size > limit) onLimit("body_too_large");
    else if (stream) {
      timer.refresh();
      if (!rate.take(chunk.length, isBlocked())) onLimit("body_too_slow");
    }
  };
  request.on("data", count);
  return () => {
    clearTimeout(timer);
    request.off("data", count);
  };
};
