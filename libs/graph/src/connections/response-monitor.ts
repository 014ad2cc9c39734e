import type { Socket } from "node:net";
import neo4j, { type Session, type SessionMode } from "neo4j-driver";
import { responseTooLargeMessage } from "../errors.ts";
import { memberOf, socketIn } from "./driver-members.ts";
import type { ResponseBudget } from "../types.ts";
import { addMonitor, unsupportedDriverMessage } from "./unsolicited-bytes.ts";

/** How deep the driver wraps a connection at most. */
const wrappings = 5;

/**
 * The socket on which a session's answers come. The driver has no public way to name it, and it holds a whole message in
 * memory, of any length, before it shows anything of it.
 *
 * @returns undefined for a version of the driver that keeps it elsewhere.
 * @throws the error of a connection that could not be opened.
 */
const socketOf = async (session: Session, mode: SessionMode): Promise<Socket | undefined> => {
  const holder = mode === neo4j.session.READ ? "_readConnectionHolder" : "_writeConnectionHolder";
  const connecting: unknown = memberOf(memberOf(session, holder), "_connectionPromise");
  let connection: unknown = await connecting;
  for (let depth = 0; depth < wrappings; depth++) {
    const socket = socketIn(connection);
    if (socket !== undefined) return socket;
    connection = memberOf(connection, "_delegate");
  }
  return undefined;
};

/**
 * Bytes that a stream may have brought, with what still comes until the server has stopped it, for its connection to be kept.
 * The rest of a longer one would be read into memory that is not accounted for.
 */
const keptBytes = 65_536;

/** Reports the answers of one session to a budget. */
export interface ResponseMonitor {
  /** Ends after an answer that came whole; the connection is read again. */
  stop(): void;
  /**
   * Ends with an answer that is not read to its end: a connection that brought much of it, or does so before it is free
   * again, is closed.
   *
   * @param closed settles when the connection is free again.
   */
  cut(closed: Promise<unknown>): void;
  /** Pauses no longer, so that the outcome of the statement arrives; the budget may still refuse it. */
  flow(): void;
}

class SessionMonitor implements ResponseMonitor {
  readonly #budget: ResponseBudget;
  readonly #fail: (reason: unknown) => void;
  #socket: Socket | undefined;
  #removeMonitor = (): void => undefined;
  #state: "reading" | "flowing" | "cut" | "over" = "reading";
  #bytes = 0;

  constructor(budget: ResponseBudget, fail: (reason: unknown) => void) {
    this.#budget = budget;
    this.#fail = fail;
  }

  watch(socket: Socket): void {
    if (this.#state === "over") return;
    this.#socket = socket;
    this.#removeMonitor = addMonitor(socket);
    socket.on("data", this.#onData);
  }

  stop(): void {
    if (this.#state === "over") return;
    this.#state = "over";
    this.#socket?.off("data", this.#onData);
    this.#removeMonitor();
    this.#resume();
  }

  flow(): void {
    if (this.#state !== "reading") return;
    this.#state = "flowing";
    this.#resume();
  }

  cut(closed: Promise<unknown>): void {
    if (this.#state === "over") return;
    this.#state = "cut";
    if (this.#bytes > keptBytes) this.#close();
    this.#resume();
    const stop = (): void => this.stop();
    closed.then(stop, stop);
  }

  readonly refuse = (reason: unknown): void => {
    if (this.#state !== "reading" && this.#state !== "flowing") return;
    this.stop();
    this.#fail(reason);
    this.#close();
  };

  readonly #onData = (bytes: Buffer): void => {
    // The driver sees them first: the statement can be over by now, and a socket that is paused then is never read again.
    if (this.#state === "over") return;
    this.#bytes += bytes.length;
    if (this.#state === "cut") {
      if (this.#bytes > keptBytes) this.#close();
      return;
    }
    try {
      const pause = this.#budget.consume(bytes.length);
      if (pause === undefined || this.#state !== "reading") return;
      this.#socket?.pause();
      pause.then(() => {
        if (this.#state === "reading") this.#resume();
      }, this.refuse);
    } catch (error) {
      this.refuse(error);
    }
  };

  #resume(): void {
    if (this.#socket?.isPaused() === true) this.#socket.resume();
  }

  #close(): void {
    this.stop();
    this.#socket?.destroy(new Error(responseTooLargeMessage));
  }
}

/**
 * Reports the bytes of a session's answers to a budget as they arrive, and pauses while the budget requires it.
 *
 * @param fail called with the reason why the budget takes no more; the connection is closed then, for the rest of a message
 *   cannot be left out.
 */
export const monitorResponse = (
  session: Session,
  mode: SessionMode,
  budget: ResponseBudget,
  fail: (reason: unknown) => void,
): ResponseMonitor => {
  const monitor = new SessionMonitor(budget, fail);
  budget.begin();
  void socketOf(session, mode).then(
    (socket) => {
      // A response whose size cannot be counted is not read.
      if (socket === undefined) monitor.refuse(new Error(unsupportedDriverMessage));
      else monitor.watch(socket);
    },
    // A connection that could not be opened, or whose host is not allowed, fails the statement by itself.
    () => undefined,
  );
  return monitor;
};
