import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { PassThrough } from "node:stream";
import type { Dispatcher } from "undici";
import { exchangeOf } from "@ikg/service";
import { bodyOf } from "./body.ts";
import { answerHeaders } from "./headers.ts";
import { lingerAfterAnswer } from "./drain-request.ts";
import { openStreamRate, type StreamRate } from "./stream-rate.ts";

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
  /** A body of any length that passes as it comes: `bodyMs` is then the longest time without a piece. */
  readonly stream?: boolean;
  /** What such a body brings on average of every `bodyMs` at least; 0: no matter. */
  readonly streamBytesPerSecond?: number;
  /** Milliseconds from the last byte of the request to the last of the answer. */
  readonly waitMs: number;
}

/** What is made of a request for its service. */
export interface Passed {
  readonly path: string;
  /** Name, value, name, value. */
  readonly headers: string[];
}

/** A stream of events lasts as long as it wants; only its silence is limited. */
const isEventStream = (headers: IncomingHttpHeaders): boolean =>
  headers["content-type"]?.startsWith("text/event-stream") ?? false;

const requestOver = new Error("the request is over");

/** One request on its way to a service and the answer on its way back, as undici tells of them, with its limits. */
export class UpstreamRequest implements Dispatcher.DispatchHandler {
  readonly #dispatcher: Dispatcher;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #limits: Limits;
  readonly #succeed: () => void;
  readonly #fail: (failure: PassageFailure) => void;
  #options: Dispatcher.DispatchOptions | undefined;
  #flow: PassThrough | undefined;
  #bodyTimer: NodeJS.Timeout | undefined;
  #waitTimer: NodeJS.Timeout | undefined;
  /** Known from the moment that the request has a connection. */
  #controller: Dispatcher.DispatchController | undefined;
  #answered = false;
  #over = false;
  #repeated = false;
  #endless = false;

  /**
   * @param succeed called when the answer has begun
   * @param fail called instead of it, once
   */
  constructor(
    dispatcher: Dispatcher,
    request: IncomingMessage,
    response: ServerResponse,
    limits: Limits,
    succeed: () => void,
    fail: (failure: PassageFailure) => void,
  ) {
    this.#dispatcher = dispatcher;
    this.#request = request;
    this.#response = response;
    this.#limits = limits;
    this.#succeed = succeed;
    this.#fail = fail;
  }

  begin({ path, headers }: Passed): void {
    // A caller may have left while it was looked at who it is.
    if (this.#response.destroyed || (this.#request.destroyed && !this.#request.complete)) {
      this.#end("caller_gone");
      return;
    }
    this.#response.once("close", () => this.#leave());
    const rate = this.#rate();
    const body = bodyOf(this.#request, this.#limits.body, {
      onBytes: (bytes) => {
        this.#waitTimer?.refresh();
        if (rate === undefined) return;
        this.#bodyTimer?.refresh();
        if (!rate.take(bytes, this.#flow?.writableNeedDrain === true)) this.#end("body_too_slow");
      },
      onTooLarge: () => this.#end("body_too_large"),
    });
    const options = { path, method: this.#request.method as Dispatcher.HttpMethod, headers };
    if (body === null) {
      this.#send({ ...options, body });
      return;
    }
    this.#bodyTimer = setTimeout(() => {
      if (this.#request.complete) return;
      // A service that takes no more for the moment is not the caller's slowness.
      const takesNoMore = this.#limits.stream === true && "flow" in body && body.flow.writableNeedDrain;
      if (takesNoMore) this.#bodyTimer?.refresh();
      else this.#end("body_too_slow");
    }, this.#limits.bodyMs);
    if ("whole" in body)
      body.whole((whole) => {
        clearTimeout(this.#bodyTimer);
        this.#send({ ...options, body: whole });
      });
    else {
      this.#flow = body.flow;
      this.#send({ ...options, body: body.flow });
    }
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#over) controller.abort(requestOver);
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    if (status < 200) return;
    const response = this.#response;
    const passed = answerHeaders(headers, exchangeOf(response).requestId);
    if (this.#limits.stream === true && !this.#request.complete) {
      // An answer in the middle of a body without end: nobody reads the rest.
      passed.push("connection", "close");
      lingerAfterAnswer(this.#request);
    }
    response.writeHead(status, passed);
    this.#answered = true;
    this.#endless = isEventStream(headers);
    // A client waits for the headers to know that the stream stands; the first event may be long in coming.
    if (this.#endless) {
      response.flushHeaders();
      this.#waitTimer?.refresh();
    }
    // Whatever the status: one caller's 503, such as a decision past its limit, says nothing about the others.
    this.#succeed();
    response.on("drain", () => controller.resume());
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#endless) this.#waitTimer?.refresh();
    if (!this.#response.write(chunk)) controller.pause();
  }

  onResponseEnd(): void {
    this.#stop();
    this.#response.end();
  }

  onResponseError(_controller: unknown, error: Error): void {
    if (this.#over) return;
    if (this.#answered) this.#response.destroy();
    else if (this.#mayRepeat()) this.#repeat();
    else this.#end(this.#controller === undefined ? "not_passed_on" : "lost", error);
  }

  /** Of a body of any length. */
  #rate(): StreamRate | undefined {
    const { stream, streamBytesPerSecond = 0, bodyMs } = this.#limits;
    return stream === true ? openStreamRate(streamBytesPerSecond, bodyMs) : undefined;
  }

  #send(options: Dispatcher.DispatchOptions): void {
    if (this.#over) return;
    this.#options = options;
    this.#waitTimer = setTimeout(() => this.#expire(), this.#limits.waitMs);
    this.#dispatch(options);
  }

  #dispatch(options: Dispatcher.DispatchOptions): void {
    try {
      this.#dispatcher.dispatch(options, this);
    } catch (error) {
      this.#end("not_passed_on", error);
    }
  }

  /** A kept connection may end in the moment it is used; a read is repeated on another one. */
  #mayRepeat(): boolean {
    const { method } = this.#request;
    return (
      !this.#repeated &&
      this.#controller !== undefined &&
      this.#options?.body === null &&
      (method === "GET" || method === "HEAD")
    );
  }

  #repeat(): void {
    this.#repeated = true;
    this.#controller = undefined;
    if (this.#options !== undefined) this.#dispatch(this.#options);
  }

  #expire(): void {
    if (this.#answered) {
      this.#leave();
      this.#response.destroy();
    } else this.#end(this.#controller === undefined ? "not_passed_on" : "too_slow");
  }

  #leave(): void {
    if (this.#over) return;
    if (this.#answered) {
      this.#stop();
      this.#controller?.abort(requestOver);
    } else this.#end("caller_gone");
  }

  #end(kind: FailureKind, cause?: unknown): void {
    if (this.#over || this.#answered) return;
    this.#stop();
    this.#controller?.abort(requestOver);
    this.#request.resume();
    this.#fail(new PassageFailure(kind, cause));
  }

  #stop(): void {
    this.#over = true;
    // A service may have answered before it read everything.
    this.#flow?.destroy();
    clearTimeout(this.#bodyTimer);
    clearTimeout(this.#waitTimer);
  }
}
