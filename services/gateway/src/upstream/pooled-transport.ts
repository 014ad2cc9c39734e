import { EventEmitter } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { LookupFunction } from "node:net";
import { requestContextOf } from "@ikg/service";
import { type Dispatcher, Pool } from "undici";
import { answerHeaders } from "../headers.ts";
import { type Attempt, noteAttempts, repeatOnce } from "./attempt.ts";
import { connectMs, idleMs, lifetimeMs } from "./connection-times.ts";
import { readShortBody } from "./short-body.ts";
import { hasLeft, type Transport } from "./transport.ts";
import { type FailureKind, UpstreamFailure } from "./upstream-failure.ts";

type Options = Dispatcher.RequestOptions<Attempt>;

const newPool = (origin: string, sockets: number, lookup: LookupFunction): Pool =>
  new Pool(origin, {
    connections: sockets,
    pipelining: 1,
    allowH2: false,
    connect: { lookup, timeout: connectMs },
    clientTtl: lifetimeMs,
    keepAliveTimeout: idleMs,
    keepAliveMaxTimeout: idleMs,
    // The limits of an operation hold instead.
    headersTimeout: 0,
    bodyTimeout: 0,
  });

/** Sends an answer on as it comes; one that breaks off is broken off for the caller, too. */
const sendAnswer = (
  { statusCode, headers, body }: Dispatcher.ResponseData<Attempt>,
  response: ServerResponse,
): void => {
  response.writeHead(statusCode, answerHeaders(headers, requestContextOf(response).requestId));
  body.once("error", () => response.destroy()).pipe(response);
};

/**
 * Sends one request and waits for the end of its answer at most `waitMs`.
 *
 * @returns when the answer has begun.
 */
const exchange = (
  dispatcher: Dispatcher,
  options: Omit<Options, "opaque" | "signal">,
  response: ServerResponse,
  waitMs: number,
): Promise<void> =>
  new Promise((resolve, reject) => {
    const attempt: Attempt = { sent: false, answered: false };
    // An emitter costs a third of what an AbortController does.
    const signal = new EventEmitter();
    let isOpen = true;
    const fail = (kind: FailureKind, cause?: unknown): void => {
      isOpen = false;
      reject(new UpstreamFailure(kind, cause));
      signal.emit("abort");
    };
    const timer = setTimeout(() => {
      if (isOpen) fail(attempt.sent ? "too_slow" : "not_sent");
      else response.destroy();
    }, waitMs);
    response.once("close", () => {
      clearTimeout(timer);
      if (isOpen) fail("caller_gone");
      else signal.emit("abort");
    });
    dispatcher
      .request({ ...options, opaque: attempt, signal })
      .then((answer) => {
        if (!isOpen) return;
        sendAnswer(answer, response);
        isOpen = false;
        resolve();
      })
      .catch((error: unknown) => {
        clearTimeout(timer);
        if (isOpen) fail(attempt.sent ? "lost" : "not_sent", error);
      });
  });

const methodOf = ({ method }: IncomingMessage): Dispatcher.HttpMethod => method as Dispatcher.HttpMethod; // Node parsed it

/**
 * Requests with short bodies, over connections of undici that are kept and spread over all addresses of a name.
 *
 * @param target base address of the service.
 * @param sockets connections at most; requests beyond wait for a free one.
 */
export const openPooledTransport = (target: URL, sockets: number, lookup: LookupFunction): Transport => {
  const base = target.pathname.replace(/\/$/, "");
  const pool = newPool(target.origin, sockets, lookup);
  const once = pool.compose(noteAttempts);
  const repeating = once.compose(repeatOnce);
  return {
    forward: async (request, headers, response, { bodyMs, waitMs }) => {
      const reading = readShortBody(request, bodyMs);
      const body = reading === null ? null : await reading;
      // A caller may have left while it was judged who it is, or while its body was read.
      if (hasLeft(request, response)) throw new UpstreamFailure("caller_gone");
      const method = methodOf(request);
      const isRepeatable = body === null && (method === "GET" || method === "HEAD");
      const options = { method, path: base + (request.url ?? "/"), headers, body };
      await exchange(isRepeatable ? repeating : once, options, response, waitMs);
    },
    connections: () => {
      const { connected, free, queued } = pool.stats;
      return { inUse: connected - free, idle: free, waiting: queued };
    },
    close: () => void pool.destroy(),
  };
};
