import { Socket } from "node:net";
import neo4j, { type Session, type SessionMode } from "neo4j-driver";
import { memberOf } from "./driver-members.ts";
import type { Intake } from "./types.ts";

/** How deep the driver wraps a connection at most. */
const wrappings = 5;

/**
 * The socket on which a session's answers come. The driver has no public way to name it, and it holds a whole message in
 * memory, of any length, before it shows anything of it.
 *
 * @throws Error for a version of the driver that keeps it elsewhere: an answer whose size is not watched is not read.
 */
const socketOf = async (session: Session, mode: SessionMode): Promise<Socket> => {
  const holder = mode === neo4j.session.READ ? "_readConnectionHolder" : "_writeConnectionHolder";
  const connecting: unknown = memberOf(memberOf(session, holder), "_connectionPromise");
  let connection: unknown = await connecting;
  for (let depth = 0; depth < wrappings; depth++) {
    const socket = memberOf(memberOf(connection, "_ch"), "_conn");
    if (socket instanceof Socket) return socket;
    connection = memberOf(connection, "_delegate");
  }
  throw new Error("this version of the Neo4j driver cannot be watched while it reads");
};

/**
 * Bytes that a stream may have brought, with what still comes until the server has stopped it, for its connection to be kept.
 * The rest of a longer one would be read into memory that nobody has counted.
 */
const keptBytes = 65_536;

/** What follows the answers of one session. */
export interface Following {
  /** Follows no longer; the connection is read again. Of answers that came whole. */
  stop(): void;
  /**
   * Ends with an answer that is not read to its end: a connection that brought much of it, or does so before it is free
   * again, is closed.
   *
   * @param closed settles when the connection is free again.
   */
  cut(closed: Promise<unknown>): void;
  /** Waits no more, so that what the server says can come; the intake may still refuse it. */
  flow(): void;
}

/**
 * Tells an intake of the bytes of a session's answers as they come, and reads no further while it says so.
 *
 * @param fail told why the intake takes no more; the connection is closed then, for the rest of a message cannot be left out.
 */
export const followIntake = (
  session: Session,
  mode: SessionMode,
  intake: Intake,
  fail: (reason: unknown) => void,
): Following => {
  let watched: Socket | undefined;
  let state: "reading" | "flowing" | "cut" | "over" = "reading";
  let seen = 0;
  intake.begin();
  const resume = (): void => {
    if (watched?.isPaused() === true) watched.resume();
  };
  const stop = (): void => {
    state = "over";
    watched?.off("data", onData);
    resume();
  };
  const close = (): void => {
    stop();
    watched?.destroy(new Error("more was answered than may be read"));
  };
  const refuse = (reason: unknown): void => {
    if (state !== "reading" && state !== "flowing") return;
    stop();
    fail(reason);
    close();
  };
  const onData = (bytes: Buffer): void => {
    // The driver sees them first: the statement can be over by now, and a socket that is paused then is never read again.
    if (state === "over") return;
    seen += bytes.length;
    if (state === "cut") {
      if (seen > keptBytes) close();
      return;
    }
    try {
      const waiting = intake.received(bytes.length);
      if (waiting === undefined || state !== "reading") return;
      watched?.pause();
      waiting.then(() => {
        if (state === "reading") resume();
      }, refuse);
    } catch (error) {
      refuse(error);
    }
  };
  void socketOf(session, mode).then(
    (socket) => {
      if (state === "over") return;
      watched = socket;
      socket.on("data", onData);
    },
    // A connection that could not be had fails the statement by itself.
    (error: unknown) => {
      if (!(error instanceof neo4j.Neo4jError)) refuse(error);
    },
  );
  return {
    stop,
    flow: () => {
      if (state !== "reading") return;
      state = "flowing";
      resume();
    },
    cut: (closed) => {
      if (state === "over") return;
      state = "cut";
      if (seen > keptBytes) close();
      resume();
      closed.then(stop, stop);
    },
  };
};
