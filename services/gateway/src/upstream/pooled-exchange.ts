import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { requestContextOf } from "@ikg/service";
import type { Dispatcher } from "undici";
import { answerHeaders } from "../headers.ts";
import { foreignAnswer } from "./foreign-answer.ts";
import { isRepeatable } from "./repeatable.ts";
import { UpstreamFailure } from "./upstream-failure.ts";

/** A request as the pool sends it: its body has been read. */
export type PooledRequest = Dispatcher.DispatchOptions & { readonly body: Buffer | null };

const requestAbandoned = new Error("the request is over");

/** Sends one request and writes its answer to the caller as it comes; undici reports each step. */
class PooledExchange implements Dispatcher.DispatchHandler {
  readonly #dispatcher: Dispatcher;
  readonly #request: PooledRequest;
  readonly #response: ServerResponse;
  readonly #timer: NodeJS.Timeout;
  readonly #onBegun: () => void;
  readonly #onFailed: (failure: UpstreamFailure) => void;
  #stage: "unanswered" | "answering" | "over" = "unanswered";
  /** Known once the request has a connection: the service may have acted on it. */
  #connection: Dispatcher.DispatchController | undefined;
  #mayRepeat: boolean;

  constructor(
    dispatcher: Dispatcher,
    request: PooledRequest,
    response: ServerResponse,
    waitMs: number,
    onBegun: () => void,
    onFailed: (failure: UpstreamFailure) => void,
  ) {
    this.#dispatcher = dispatcher;
    this.#request = request;
    this.#response = response;
    this.#timer = setTimeout(() => this.#expire(), waitMs);
    this.#onBegun = onBegun;
    this.#onFailed = onFailed;
    this.#mayRepeat = isRepeatable(request.method, request.body !== null);
    response.once("close", () => this.#leave());
  }

  send(): void {
    this.#dispatcher.dispatch(this.#request, this);
  }

  onRequestStart(connection: Dispatcher.DispatchController): void {
    this.#connection = connection;
    if (this.#stage === "over") connection.abort(requestAbandoned);
  }

  onResponseStart(
    connection: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    if (status < 200) return;
    const foreign = foreignAnswer(status, headers);
    if (foreign !== undefined) {
      this.#fail(foreign);
      return;
    }
    const response = this.#response;
    response.writeHead(status, answerHeaders(headers, requestContextOf(response).requestId));
    response.on("drain", () => connection.resume());
    this.#stage = "answering";
    this.#onBegun();
  }

  onResponseData(connection: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.#response.write(chunk)) connection.pause();
  }

  onResponseEnd(): void {
    this.#end();
    this.#response.end();
  }

  onResponseError(_connection: unknown, error: Error): void {
    // An answer that breaks off is broken off for the caller, too.
    if (this.#stage === "answering") this.#response.destroy();
    else if (this.#stage === "unanswered") this.#repeatOrFail(error);
  }

  #repeatOrFail(error: Error): void {
    if (this.#connection === undefined) this.#fail(new UpstreamFailure("not_sent", error));
    else if (this.#mayRepeat) {
      this.#mayRepeat = false;
      this.#connection = undefined;
      this.send();
    } else this.#fail(new UpstreamFailure("lost", error));
  }

  #expire(): void {
    if (this.#stage === "answering") this.#response.destroy();
    else this.#fail(new UpstreamFailure(this.#connection === undefined ? "not_sent" : "too_slow"));
  }

  /** The caller has closed its connection, or its answer was broken off. */
  #leave(): void {
    if (this.#stage === "unanswered") this.#fail(new UpstreamFailure("caller_gone"));
    else if (this.#stage === "answering") this.#abandon();
  }

  #fail(failure: UpstreamFailure): void {
    this.#abandon();
    this.#onFailed(failure);
  }

  #abandon(): void {
    this.#end();
    this.#connection?.abort(requestAbandoned);
  }

  #end(): void {
    this.#stage = "over";
    clearTimeout(this.#timer);
  }
}

/**
 * Sends one request and waits for the end of its answer at most `waitMs`.
 *
 * @param onBegun called when the answer has begun.
 * @param onFailed called instead, once, with the reason why it has not.
 */
export const exchangeByPool = (
  dispatcher: Dispatcher,
  request: PooledRequest,
  response: ServerResponse,
  waitMs: number,
  onBegun: () => void,
  onFailed: (failure: UpstreamFailure) => void,
): void => {
  new PooledExchange(dispatcher, request, response, waitMs, onBegun, onFailed).send();
};
