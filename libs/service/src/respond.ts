import type { ServerResponse } from "node:http";
import type { Problem } from "@ikg/contracts";
import { exchangeOf } from "./exchange.ts";
import { requestIdHeader } from "./request-id.ts";

/** Writes one JSON answer; `body` undefined sends none. */
export const respond = (
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void => {
  const text = body === undefined ? "" : JSON.stringify(body);
  response
    .writeHead(status, {
      "Content-Type": "application/json; charset=utf-8",
      "Content-Length": Buffer.byteLength(text),
      "Cache-Control": "no-store",
      [requestIdHeader]: exchangeOf(response).requestId,
      ...headers,
    })
    .end(text);
};

/** Answers with the envelope of a problem; a half-sent answer can only be broken off. */
export const respondProblem = (response: ServerResponse, problem: Problem): void => {
  exchangeOf(response).problem = problem.code;
  if (response.headersSent) response.destroy();
  else respond(response, problem.status, problem.envelope(), problem.headers);
};
