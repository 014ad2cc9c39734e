import type { ClientRequest, IncomingMessage, ServerResponse } from "node:http";
import { requestContextOf } from "@ikg/service";
import { answerHeaders } from "../headers.ts";
import { drainAfterResponse } from "./drain-after-response.ts";
import { foreignAnswer } from "./foreign-answer.ts";
import { hasLeft, type Limits } from "./transport.ts";
import { UpstreamFailure } from "./upstream-failure.ts";
import { watchBody } from "./watch-body.ts";

/** A stream of events or of lines has no longest duration; only its silence is limited. */
const endlessTypes = ["text/event-stream", "application/x-ndjson"] as const;

const isEndless = ({ headers }: IncomingMessage): boolean =>
  endlessTypes.some((type) => headers["content-type"]?.startsWith(type) ?? false);

/** Calls back once the connection of a request is open. */
const whenConnected = ({ socket }: ClientRequest, connected: () => void): void => {
  if (socket === null || !socket.connecting) connected();
  else socket.once("encrypted" in socket ? "secureConnect" : "connect", connected);
};

/** Follows one request through the proxy, which reports each step: its limits, its answer, its failure. */
export class StreamedExchange {
  /** Settles once: when the answer has begun, or with an UpstreamFailure. */
  readonly begun: Promise<void>;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #limits: Limits;
  readonly #waitTimer: NodeJS.Timeout;
  readonly #resolve: () => void;
  readonly #reject: (failure: UpstreamFailure) => void;
  #isOpen = true;
  #wasSent = false;
  #outgoing: ClientRequest | undefined;
  #endWatch = (): void => undefined;

  constructor(request: IncomingMessage, response: ServerResponse, limits: Limits) {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.begun = promise;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#request = request;
    this.#response = response;
    this.#limits = limits;
    this.#waitTimer = setTimeout(() => this.#expire(), limits.waitMs);
    request.once("end", () => this.#isOpen && this.#waitTimer.refresh());
    response.once("close", () => {
      if (this.#isOpen) this.#fail(new UpstreamFailure("caller_gone"));
      // A service may have answered before it read everything.
      else this.#abandon();
    });
  }

  /** The request has a connection, which may still be opening. */
  onSocket(outgoing: ClientRequest): void {
    this.#outgoing = outgoing;
    if (!this.#isOpen) {
      // After the proxy has piped the body into it.
      process.nextTick(() => this.#abandon());
      return;
    }
    whenConnected(outgoing, () => (this.#wasSent = true));
    this.#endWatch = watchBody(this.#request, this.#limits, {
      isBlocked: () => outgoing.writableNeedDrain,
      onChunk: () => this.#waitTimer.refresh(),
      onLimit: (kind) => this.#fail(new UpstreamFailure(kind)),
    });
  }

  onAnswer(answer: IncomingMessage): void {
    if (!this.#isOpen) {
      answer.resume();
      return;
    }
    const foreign = foreignAnswer(answer.statusCode ?? 502, answer.headers);
    if (foreign !== undefined) {
      this.#fail(foreign);
      return;
    }
    try {
      this.#sendAnswer(answer);
    } catch (error) {
      this.#fail(new UpstreamFailure("lost", error));
      return;
    }
    this.#isOpen = false;
    this.#resolve();
  }

  onError(error: unknown): void {
    if (hasLeft(this.#request, this.#response)) this.#fail(new UpstreamFailure("caller_gone"));
    else this.#fail(new UpstreamFailure(this.#wasSent ? "lost" : "not_sent", error));
  }

  #sendAnswer(answer: IncomingMessage): void {
    const response = this.#response;
    const headers = answerHeaders(answer.headers, requestContextOf(response).requestId);
    if (this.#limits.stream === true && !this.#request.complete) {
      // The answer to a body without end that has not ended: the rest is not read.
      headers.push("connection", "close");
      drainAfterResponse(this.#request);
    }
    response.writeHead(answer.statusCode ?? 502, headers);
    if (isEndless(answer)) {
      // A client waits for the headers to know that the stream is open; the first event or line may be long in coming.
      response.flushHeaders();
      this.#waitTimer.refresh();
      answer.on("data", () => this.#waitTimer.refresh());
    }
    // An answer that breaks off is broken off for the caller, too.
    answer.once("close", () => answer.complete || response.destroy());
    answer.pipe(response);
  }

  #expire(): void {
    if (!this.#isOpen) this.#response.destroy();
    else if (this.#awaitsCaller()) this.#waitTimer.refresh();
    else this.#fail(new UpstreamFailure(this.#wasSent ? "too_slow" : "not_sent"));
  }

  /** The service has taken everything that has arrived, and more is to come: only the limits of the body hold. */
  #awaitsCaller(): boolean {
    return this.#wasSent && !this.#request.complete && this.#outgoing?.writableNeedDrain === false;
  }

  #fail(failure: UpstreamFailure): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#abandon();
    this.#reject(failure);
  }

  /** Ends the request to the service. The rest of the body is read, so that the caller's connection can be used again. */
  #abandon(): void {
    clearTimeout(this.#waitTimer);
    this.#endWatch();
    if (this.#outgoing !== undefined) this.#request.unpipe(this.#outgoing);
    this.#request.resume();
    this.#outgoing?.destroy();
  }
}
