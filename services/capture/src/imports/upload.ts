import type { IncomingMessage } from "node:http";
import { PassThrough, type Readable } from "node:stream";
import { createGunzip, type Gunzip } from "node:zlib";
import { Problem } from "@ikg/contracts";
import { errorCode } from "@ikg/service";

const lineType = /^application\/(?:x-ndjson|ndjson|jsonl|x-jsonlines)[ \t]*(?:;|$)/i;
const pieceBytes = 64 * 1024;

const malformed = (reason: string, cause?: unknown): Problem =>
  new Problem("malformed_body", { errors: [`body: ${reason}`], cause });

/** What broke such a text off, as the caller receives it: broken gzip is the fault of the request. */
export const uploadFault = (error: unknown): unknown =>
  errorCode(error).startsWith("Z_") ? malformed("gzip expected, as Content-Encoding says", error) : error;

const expanded = (request: IncomingMessage): PassThrough | Gunzip => {
  const encoding = request.headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
  if (encoding === "identity" || encoding === "") return new PassThrough();
  if (encoding === "gzip" || encoding === "x-gzip") return createGunzip({ chunkSize: pieceBytes });
  throw malformed("Content-Encoding gzip expected, or none");
};

/** The body of an upload. */
export interface Upload {
  /** Its lines, decompressed. */
  readonly text: Readable;
  /** Bytes that have come so far, as they were sent. */
  readonly sentBytes: () => number;
}

/**
 * The text of an upload, expanded, at the pace of its reader. Ending it leaves the request as it is, so that an
 * answer can still be given.
 *
 * @throws Problem `malformed_body` (400) for another type or encoding.
 */
export const uploadedText = (request: IncomingMessage): Upload => {
  const { "content-type": type = "" } = request.headers;
  if (!lineType.test(type)) throw malformed("Content-Type application/x-ndjson expected");
  const flow = expanded(request);
  // It may break before it is read; the reader receives the error then.
  flow.on("error", () => undefined);
  const cut = (): void => {
    if (!request.complete) flow.destroy(malformed("the body ended early"));
  };
  request.once("error", cut).once("close", cut).pipe(flow);
  flow.once("close", () => request.unpipe(flow).off("close", cut).resume());
  return { text: flow, sentBytes: () => ("bytesWritten" in flow ? flow.bytesWritten : Infinity) };
};
