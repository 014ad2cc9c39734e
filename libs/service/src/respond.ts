import type { ServerResponse } from "node:http";
import type { Problem } from "@ikg/contracts";
import { exchangeOf } from "./exchange.ts";
import { requestIdHeader } from "./request-id.ts";

/** Characters from which on a text is encoded before it is handed over. */
const longText = 16_384;

/** Writes one JSON answer; `body` undefined sends none. */
export const respond = (
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void => {
  const text = body === undefined ? "" : JSON.stringify(body);
  // A short text goes out in one piece with its head; a long one is encoded faster than the socket would do it.
  const content = text.length < longText ? text : Buffer.from(text);
  response
    .writeHead(status, {
      "Content-Type": "application/json; charset=utf-8",
      "Content-Length": Buffer.byteLength(content),
      "Cache-Control": "no-store",
      [requestIdHeader]: exchangeOf(response).requestId,
      ...headers,
    })
    .end(content);
};

/** Answers with the envelope of a problem; a half-sent answer can only be broken off. */
export const respondProblem = (response: ServerResponse, problem: Problem): void => {
  exchangeOf(response).problem = problem.code;
  if (response.headersSent) response.destroy();
  else respond(response, problem.status, problem.envelope(), problem.headers);
};
