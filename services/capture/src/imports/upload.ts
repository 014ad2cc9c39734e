import type { IncomingMessage } from "node:http";
import { PassThrough, type Readable } from "node:stream";
import { createGunzip, type Gunzip } from "node:zlib";
import { errorCode, malformedBody } from "@ikg/service";

const lineType = /^application\/(?:x-ndjson|ndjson|jsonl|x-jsonlines)[ \t]*(?:;|$)/i;
const pieceBytes = 64 * 1024;

/** The error that a caller receives for one of an uploaded text: damaged gzip data is a fault of the request. */
export const uploadFault = (error: unknown): unknown =>
  errorCode(error).startsWith("Z_") ? malformedBody("gzip expected, as Content-Encoding says", error) : error;

const openDecoder = (request: IncomingMessage): PassThrough | Gunzip => {
  const encoding = request.headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
  if (encoding === "identity" || encoding === "") return new PassThrough();
  if (encoding === "gzip" || encoding === "x-gzip") return createGunzip({ chunkSize: pieceBytes });
  throw malformedBody("Content-Encoding gzip expected, or none");
};

/** The body of an upload. */
export interface Upload {
  /** Its lines, decompressed. */
  readonly text: Readable;
  /** Bytes received so far, compressed as they were sent; Infinity for a text that was not compressed. */
  readonly sentBytes: () => number;
}

/**
 * The decompressed text of an upload, with backpressure. Destroying it leaves the request open, so that it can still be
 * answered.
 *
 * @throws Problem `malformed_body` (400) for another type or encoding.
 */
export const uploadedText = (request: IncomingMessage): Upload => {
  const { "content-type": type = "" } = request.headers;
  if (!lineType.test(type)) throw malformedBody("Content-Type application/x-ndjson expected");
  const text = openDecoder(request);
  // An error before the first read: the reader receives it later.
  text.on("error", () => undefined);
  const onEnd = (): void => {
    if (!request.complete) text.destroy(malformedBody("the body ended early"));
  };
  request.once("error", onEnd).once("close", onEnd).pipe(text);
  text.once("close", () => request.unpipe(text).off("close", onEnd).resume());
  return { text, sentBytes: () => ("bytesWritten" in text ? text.bytesWritten : Infinity) };
};
