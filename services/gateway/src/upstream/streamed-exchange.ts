import type { ClientRequest, IncomingMessage, ServerResponse } from "node:http";
import { requestContextOf } from "@ikg/service";
import { answerHeaders } from "../headers.ts";
import { lingerAfterAnswer } from "./drain-request.ts";
import { hasLeft, type Limits } from "./transport.ts";
import { type FailureKind, UpstreamFailure } from "./upstream-failure.ts";
import { watchBody } from "./watch-body.ts";

/** What the proxy reports of one request. */
export interface StreamedExchange {
  /** The request has a connection, which may still be opening. */
  onSocket(outgoing: ClientRequest): void;
  onAnswer(answer: IncomingMessage): void;
  onError(error: unknown): void;
}

/** A stream of events lasts as long as it wants; only its silence is limited. */
const isEventStream = ({ headers }: IncomingMessage): boolean =>
  headers["content-type"]?.startsWith("text/event-stream") ?? false;

/** Calls back once the connection of a request is open. */
const whenConnected = ({ socket }: ClientRequest, connected: () => void): void => {
  if (socket === null || !socket.connecting) connected();
  else socket.once("encrypted" in socket ? "secureConnect" : "connect", connected);
};

/**
 * Follows one request through the proxy: its limits, its answer, its failure.
 *
 * @returns `begun` settles once: when the answer has begun, or with an UpstreamFailure.
 */
export const followExchange = (
  request: IncomingMessage,
  response: ServerResponse,
  limits: Limits,
): { readonly exchange: StreamedExchange; readonly begun: Promise<void> } => {
  const { promise: begun, resolve, reject } = Promise.withResolvers<void>();
  let isOpen = true;
  let wasSent = false;
  let outgoing: ClientRequest | undefined;
  let endWatch = (): void => undefined;

  /** Ends the request to the service. What the caller still sends is read, so that its connection can be used again. */
  const abandon = (): void => {
    clearTimeout(waitTimer);
    endWatch();
    if (outgoing !== undefined) request.unpipe(outgoing);
    request.resume();
    outgoing?.destroy();
  };
  const fail = (kind: FailureKind, cause?: unknown): void => {
    if (!isOpen) return;
    isOpen = false;
    abandon();
    reject(new UpstreamFailure(kind, cause));
  };
  const waitTimer = setTimeout(() => {
    if (isOpen) fail(wasSent ? "too_slow" : "not_sent");
    else response.destroy();
  }, limits.waitMs);
  response.once("close", () => {
    if (isOpen) fail("caller_gone");
    // A service may have answered before it read everything.
    else abandon();
  });

  const onSocket = (opened: ClientRequest): void => {
    outgoing = opened;
    if (!isOpen) {
      // After the proxy has piped the body into it.
      process.nextTick(abandon);
      return;
    }
    whenConnected(opened, () => (wasSent = true));
    endWatch = watchBody(request, limits, {
      isBlocked: () => opened.writableNeedDrain,
      onChunk: () => waitTimer.refresh(),
      onLimit: fail,
    });
  };

  const sendAnswer = (answer: IncomingMessage): void => {
    const headers = answerHeaders(answer.headers, requestContextOf(response).requestId);
    if (limits.stream === true && !request.complete) {
      // An answer in the middle of a body without end: nobody reads the rest.
      headers.push("connection", "close");
      lingerAfterAnswer(request);
    }
    response.writeHead(answer.statusCode ?? 502, headers);
    if (isEventStream(answer)) {
      // A client waits for the headers to know that the stream stands; the first event may be long in coming.
      response.flushHeaders();
      waitTimer.refresh();
      answer.on("data", () => waitTimer.refresh());
    }
    answer.pipe(response);
  };
  const onAnswer = (answer: IncomingMessage): void => {
    if (!isOpen) {
      answer.resume();
      return;
    }
    try {
      sendAnswer(answer);
    } catch (error) {
      fail("lost", error);
      return;
    }
    isOpen = false;
    resolve();
  };

  const onError = (error: unknown): void => {
    if (hasLeft(request, response)) fail("caller_gone");
    else fail(wasSent ? "lost" : "not_sent", error);
  };
  return { exchange: { onSocket, onAnswer, onError }, begun };
};
