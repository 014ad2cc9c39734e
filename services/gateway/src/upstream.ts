import { Agent as HttpAgent, type ClientRequest, type IncomingMessage, type ServerResponse } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { createProxyMiddleware } from "http-proxy-middleware";
import { isHopByHop, isInternal } from "./admission.ts";

/** How a request ended that the upstream did not answer. */
export type FailureKind =
  /** No connection was made: nothing can have happened. */
  | "not_passed_on"
  /** The connection broke after the request went out. */
  | "lost"
  /** No answer within the limit, and the request was out. */
  | "too_slow"
  /** The caller's body grew past its limit on the way. */
  | "body_too_large"
  /** The caller did not send its body in time. */
  | "body_too_slow"
  /** The caller left. */
  | "caller_gone";

export class PassageFailure extends Error {
  override readonly name = "PassageFailure";
  readonly kind: FailureKind;

  constructor(kind: FailureKind, cause?: unknown) {
    super(kind, cause === undefined ? undefined : { cause });
    this.kind = kind;
  }
}

export interface Limits {
  /** Bytes of the body. */
  readonly body: number;
  /** Milliseconds for the whole body: one that trickles in does not hold a connection for longer. */
  readonly bodyMs: number;
  /** Milliseconds from the last byte of the request to the last of the answer. */
  readonly waitMs: number;
}

/** One service behind the gateway. */
export interface Upstream {
  /**
   * Streams a request to the service and its answer back. Resolves when the answer has begun.
   *
   * @throws PassageFailure
   */
  pass(request: IncomingMessage, response: ServerResponse, limits: Limits): Promise<void>;
  close(): void;
}

interface Passage {
  readonly limits: Limits;
  readonly timer: NodeJS.Timeout;
  sending: ClientRequest | undefined;
  done: boolean;
  succeed(): void;
  fail(kind: FailureKind, cause?: unknown): void;
}

/** System calls that fail before a single byte of the request is out. */
const beforeSending = new Set(["connect", "getaddrinfo"]);

const neverSent = (error: Error, passage: Passage): boolean =>
  ("syscall" in error && typeof error.syscall === "string" && beforeSending.has(error.syscall)) ||
  passage.sending?.socket?.connecting !== false;

/** Headers of an answer that stay inside, besides those of one connection: the request id is the gateway's own. */
const staysInside = (name: string): boolean =>
  isHopByHop(name) || isInternal(name) || name === "transfer-encoding" || name === "x-request-id";

const passHeaders = (answer: IncomingMessage, response: ServerResponse): void => {
  const { headers } = answer;
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    if (value !== undefined && !staysInside(name)) response.setHeader(name, value);
  }
};

/**
 * Opens the way to one service: http-proxy-middleware on connections that are kept.
 *
 * @param target base address of the service.
 * @param sockets connections at most; requests beyond wait for a free one.
 */
export const openUpstream = (target: string, sockets: number): Upstream => {
  const options = { keepAlive: true, maxSockets: sockets, maxFreeSockets: sockets };
  const agent = target.startsWith("https:") ? new HttpsAgent(options) : new HttpAgent(options);
  const passages = new WeakMap<IncomingMessage, Passage>();

  /** The socket is assigned and the body is about to be piped: from here its bytes are counted. */
  const onSending = (sending: ClientRequest, request: IncomingMessage): void => {
    const passage = passages.get(request);
    if (passage === undefined) return;
    passage.sending = sending;
    if (passage.done) {
      sending.destroy();
      return;
    }
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      passage.timer.refresh();
      size += chunk.length;
      if (size <= passage.limits.body || passage.done) return;
      request.unpipe(sending);
      request.resume();
      passage.fail("body_too_large");
    });
  };

  const onAnswer = (answer: IncomingMessage, request: IncomingMessage, response: ServerResponse): void => {
    const passage = passages.get(request);
    if (passage === undefined || passage.done || response.headersSent) {
      answer.destroy();
      return;
    }
    passHeaders(answer, response);
    response.writeHead(answer.statusCode ?? 502);
    answer.pipe(response);
    // Whatever the status: one caller's 503, such as a decision past its limit, says nothing about the others.
    passage.succeed();
  };

  const proxy = createProxyMiddleware({
    // Parsed once: the library would parse a text with every request.
    target: new URL(target),
    agent,
    selfHandleResponse: true,
    // The default plugins answer and log on their own; both are this file's business.
    ejectPlugins: true,
    plugins: [
      (server) => {
        server.on("proxyReq", onSending);
        server.on("proxyRes", onAnswer);
        server.on("error", (error, request) => {
          const passage = request === undefined ? undefined : passages.get(request);
          if (passage !== undefined)
            passage.fail(neverSent(error, passage) ? "not_passed_on" : "lost", error);
        });
        server.on("econnreset", (error, request) => passages.get(request)?.fail("caller_gone", error));
      },
    ],
  });

  return {
    pass: (request, response, limits) =>
      new Promise((resolve, reject) => {
        const expire = (): void => {
          if (passage.done) response.destroy();
          else passage.fail(passage.sending?.socket?.connecting === false ? "too_slow" : "not_passed_on");
          passage.sending?.destroy();
        };
        const passage: Passage = {
          limits,
          timer: setTimeout(expire, limits.waitMs),
          sending: undefined,
          done: false,
          succeed: () => {
            if (passage.done) return;
            passage.done = true;
            resolve();
          },
          fail: (kind, cause) => {
            if (passage.done) return;
            passage.done = true;
            passage.sending?.destroy();
            reject(new PassageFailure(kind, cause));
          },
        };
        const bodyTimer = setTimeout(() => {
          if (!request.complete) passage.fail("body_too_slow");
        }, limits.bodyMs);
        passages.set(request, passage);
        response.once("close", () => {
          clearTimeout(passage.timer);
          clearTimeout(bodyTimer);
          passage.fail("caller_gone");
        });
        proxy(request, response, (error: unknown) => passage.fail("not_passed_on", error)).catch(
          (error: unknown) => passage.fail("lost", error),
        );
      }),
    close: () => agent.destroy(),
  };
};
