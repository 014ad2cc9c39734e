import type { ServerResponse } from "node:http";
import type { JsonText } from "./json-text.ts";

/** Characters that are encoded and handed over at one time. */
const sliceLength = 65_536;
/** How long a caller may take nothing of an answer, in milliseconds: what waits is memory. */
export const stallMs = 10_000;
/** How long all of an answer may take. */
const totalMs = 60_000;

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;

/** The pieces as slices of about one length, each of whole characters. */
function* slicesOf(pieces: readonly string[]): Generator<string> {
  let held = "";
  for (const piece of pieces) {
    held += piece;
    let from = 0;
    while (held.length - from > sliceLength) {
      const split = isHighSurrogate(held.charCodeAt(from + sliceLength - 1)) ? sliceLength - 1 : sliceLength;
      yield held.slice(from, from + split);
      from += split;
    }
    held = held.slice(from);
  }
  yield held;
}

/**
 * Writes a long answer as fast as its caller reads it, and breaks it off when the caller reads too slowly. The answer is
 * released when the response is over, however it ends.
 */
export const sendPieces = (
  response: ServerResponse,
  text: JsonText,
  limits: { readonly stallMs: number; readonly totalMs: number } = { stallMs, totalMs },
): void => {
  const slices = slicesOf(text.pieces);
  const total = setTimeout(() => response.destroy(), limits.totalMs);
  let stall: NodeJS.Timeout | undefined;
  response.once("close", () => {
    clearTimeout(total);
    clearTimeout(stall);
    text.release();
  });
  const proceed = (): void => {
    clearTimeout(stall);
    stall = setTimeout(() => response.destroy(), limits.stallMs);
    // One by one: leaving a loop over a generator would end it.
    for (let next = slices.next(); next.done !== true; next = slices.next()) {
      if (response.destroyed) return;
      if (!response.write(Buffer.from(next.value))) {
        response.once("drain", proceed);
        return;
      }
    }
    response.end();
  };
  proceed();
};
