import type { Socket } from "node:net";
import neo4j, { type Session, type SessionMode } from "neo4j-driver";
import { tooMuchAnswered } from "../errors.ts";
import { memberOf, socketIn } from "./driver-members.ts";
import type { Intake } from "../types.ts";
import { follow, notWatched } from "./unsolicited-bytes.ts";

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

/** Follows the answers of one session. */
export interface Following {
  /** Ends after an answer that came whole; the connection is read again. */
  stop(): void;
  /**
   * Ends with an answer that is not read to its end: a connection that brought much of it, or does so before it is free
   * again, is closed.
   *
   * @param closed settles when the connection is free again.
   */
  cut(closed: Promise<unknown>): void;
  /** Pauses no more, so that the outcome of the statement arrives; the intake may still refuse it. */
  flow(): void;
}

class SessionFollowing implements Following {
  readonly #intake: Intake;
  readonly #fail: (reason: unknown) => void;
  #socket: Socket | undefined;
  #unfollow = (): void => undefined;
  #state: "reading" | "flowing" | "cut" | "over" = "reading";
  #bytes = 0;

  constructor(intake: Intake, fail: (reason: unknown) => void) {
    this.#intake = intake;
    this.#fail = fail;
  }

  watch(socket: Socket): void {
    if (this.#state === "over") return;
    this.#socket = socket;
    this.#unfollow = follow(socket);
    socket.on("data", this.#onData);
  }

  stop(): void {
    if (this.#state === "over") return;
    this.#state = "over";
    this.#socket?.off("data", this.#onData);
    this.#unfollow();
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
      const pause = this.#intake.received(bytes.length);
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
    this.#socket?.destroy(new Error(tooMuchAnswered));
  }
}

/**
 * Reports the bytes of a session's answers to an intake as they arrive, and pauses while the intake requires it.
 *
 * @param fail called with the reason why the intake takes no more; the connection is closed then, for the rest of a message
 *   cannot be left out.
 */
export const followIntake = (
  session: Session,
  mode: SessionMode,
  intake: Intake,
  fail: (reason: unknown) => void,
): Following => {
  const following = new SessionFollowing(intake, fail);
  intake.begin();
  void socketOf(session, mode).then(
    (socket) => {
      // An answer whose size is not watched is not read.
      if (socket === undefined) following.refuse(new Error(notWatched));
      else following.watch(socket);
    },
    // A connection that could not be opened, or whose host is not allowed, fails the statement by itself.
    () => undefined,
  );
  return following;
};
