/** A TCP line that tests lay before a server and disturb: the one proxy of all tests. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

/**
 * What becomes of bytes, in both directions:
 * - `through`: passed on;
 * - `silent`: swallowed, and the connections that were open then are never heard of again, as behind a firewall that has
 *   forgotten them;
 * - `lost`: what goes to the server is answered by the end of the connection;
 * - `reset`: every connection is reset, open ones and new ones;
 * - `delayMs`: passed on so much later;
 * - `bytesPerSecond`: passed on at this pace.
 */
export type LineState =
  | "through"
  | "silent"
  | "lost"
  | "reset"
  | { readonly delayMs: number }
  | { readonly bytesPerSecond: number };

export interface Line {
  readonly port: number;
  /** Connections so far. */
  readonly accepted: number;
  state: LineState;
  close(): Promise<void>;
}

/** Ways over the line whose ends know nothing of each other any more. */
interface Way {
  readonly near: Socket;
  readonly far: Socket;
  dead: boolean;
}

/** Pieces per second in which a slow line passes bytes on. */
const piecesPerSecond = 20;

/** How one direction passes bytes on: in order, each piece when it is due. */
const carrier = (to: Socket, stateOf: () => LineState) => {
  let last = Promise.resolve();
  let freeAt = 0;
  const pass = (bytes: Uint8Array, due: number): void => {
    last = last.then(async () => {
      const ms = due - performance.now();
      if (ms > 0) await pause(ms);
      if (!to.destroyed) to.write(bytes);
    });
  };
  return {
    carry: (bytes: Uint8Array): void => {
      const now = performance.now();
      const state = stateOf();
      if (typeof state === "string") pass(bytes, now);
      else if ("delayMs" in state) pass(bytes, now + state.delayMs);
      else {
        const size = Math.max(1, Math.floor(state.bytesPerSecond / piecesPerSecond));
        for (let at = 0; at < bytes.length; at += size) {
          const piece = bytes.subarray(at, at + size);
          freeAt = Math.max(freeAt, now) + (piece.length / state.bytesPerSecond) * 1_000;
          pass(piece, freeAt);
        }
      }
    },
    /** Ends the direction once everything has gone. */
    end: (): void => void last.then(() => to.destroySoon()),
  };
};

/** Lays a line from a port that the system chooses. */
export const openLine = async (target: { host: string; port: number }): Promise<Line> => {
  const ways = new Set<Way>();
  let state: LineState = "through";
  let accepted = 0;

  const lay = (near: Socket): void => {
    const far = connect(target);
    const way: Way = { near, far, dead: state === "silent" };
    ways.add(way);
    const there = carrier(far, () => state);
    const back = carrier(near, () => state);
    near.on("data", (bytes) => {
      if (way.dead) return;
      if (state === "lost") near.destroy();
      else there.carry(bytes);
    });
    far.on("data", (bytes) => {
      if (!way.dead) back.carry(bytes);
    });
    // An error is followed by the end.
    for (const socket of [near, far]) socket.on("error", () => undefined);
    near.on("close", () => {
      ways.delete(way);
      there.end();
    });
    far.on("close", () => {
      if (!way.dead) back.end();
    });
  };

  const server = createServer((near) => {
    accepted += 1;
    if (state === "reset") near.resetAndDestroy();
    else lay(near);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port, // of TCP
    get accepted() {
      return accepted;
    },
    get state() {
      return state;
    },
    set state(next) {
      state = next;
      for (const way of ways)
        if (next === "silent") way.dead = true;
        else if (next === "reset") for (const socket of [way.near, way.far]) socket.resetAndDestroy();
    },
    close: async () => {
      for (const { near, far } of ways) for (const socket of [near, far]) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
};
