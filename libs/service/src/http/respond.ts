import type { ServerResponse } from "node:http";
import type { Problem } from "@ikg/contracts";
import { requestContextOf } from "./request-context.ts";
import { jsonLinesType } from "./json-lines.ts";
import { JsonText } from "./json-text.ts";
import { requestIdHeader } from "./request-id.ts";
import { sendPieces, stallMs } from "./send-pieces.ts";

/** Characters from which on a text is encoded before it is handed over. */
const longText = 16_384;
/** Characters from which on a text that comes in pieces is sent in pieces, as its caller reads it. */
const streamedText = 262_144;

const commonHeaders = (response: ServerResponse): Readonly<Record<string, string>> => ({
  "Cache-Control": "no-store",
  [requestIdHeader]: requestContextOf(response).requestId,
});

/** Begins an answer of JSON lines. */
export const startLines = (
  response: ServerResponse,
  { status, headers }: { readonly status: number; readonly headers: Readonly<Record<string, string>> },
  gzip = false,
): ServerResponse =>
  response.writeHead(status, {
    "Content-Type": `${jsonLinesType}; charset=utf-8`,
    ...commonHeaders(response),
    ...(gzip ? { "Content-Encoding": "gzip" } : {}),
    ...headers,
  });

/** Writes one JSON answer; `body` undefined sends none, a `JsonText` is sent as it is. */
export const respond = (
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void => {
  const common = {
    "Content-Type": "application/json; charset=utf-8",
    ...commonHeaders(response),
    ...headers,
  };
  if (body instanceof JsonText) {
    if (response.destroyed) {
      body.release();
      return;
    }
    if (body.length > streamedText) {
      sendPieces(response.writeHead(status, common), body);
      return;
    }
    response.once("close", () => body.release());
  }
  const text = body === undefined ? "" : body instanceof JsonText ? body.toString() : JSON.stringify(body);
  // A short text goes out in one piece with its head; a long one is encoded faster than the socket would do it.
  const content = text.length < longText ? text : Buffer.from(text);
  response.writeHead(status, { ...common, "Content-Length": Buffer.byteLength(content) }).end(content);
  // A caller that does not read the rest loses the answer.
  if (response.writableLength > 0) response.setTimeout(stallMs, () => response.destroy());
};

/** The code of an error response, which its message does not always tell. */
const errorCodeHeader = "X-Error-Code";

/** Answers with the envelope of a problem; a half-sent answer can only be broken off. */
export const respondProblem = (response: ServerResponse, problem: Problem): void => {
  const { code, status, headers } = problem;
  requestContextOf(response).problem = code;
  if (response.headersSent) response.destroy();
  else respond(response, status, problem.envelope(), { [errorCodeHeader]: code, ...headers });
};
