/** A TCP proxy that tests put in front of a server to inject faults. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

/**
 * What happens to bytes, in both directions:
 * - `through`: forwarded;
 * - `silent`: dropped, and the connections that are open at that moment stay half open, as behind a firewall that has
 *   forgotten them;
 * - `lost`: the connection is closed when bytes arrive for the server;
 * - `reset`: every connection is reset, open ones and new ones;
 * - `delayMs`: forwarded with this delay;
 * - `bytesPerSecond`: forwarded at this rate.
 */
export type ProxyState =
  | "through"
  | "silent"
  | "lost"
  | "reset"
  | { readonly delayMs: number }
  | { readonly bytesPerSecond: number };

export interface FaultyProxy {
  readonly port: number;
  /** Connections so far. */
  readonly accepted: number;
  state: ProxyState;
  close(): Promise<void>;
}

/** A connection of a client with that to the server; `dead` ones are half open. */
interface Pair {
  readonly near: Socket;
  readonly far: Socket;
  dead: boolean;
}

/** Chunks per second that a slow proxy forwards. */
const piecesPerSecond = 20;

/** Forwards one direction: in order, each chunk when it is due. */
const carrier = (to: Socket, stateOf: () => ProxyState) => {
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
    /** Ends the direction once everything is forwarded. */
    end: (): void => void last.then(() => to.destroySoon()),
  };
};

/** Listens on a free port. */
export const openFaultyProxy = async (target: { host: string; port: number }): Promise<FaultyProxy> => {
  const pairs = new Set<Pair>();
  let state: ProxyState = "through";
  let accepted = 0;

  const join = (near: Socket): void => {
    const far = connect(target);
    const pair: Pair = { near, far, dead: state === "silent" };
    pairs.add(pair);
    const there = carrier(far, () => state);
    const back = carrier(near, () => state);
    near.on("data", (bytes) => {
      if (pair.dead) return;
      if (state === "lost") near.destroy();
      else there.carry(bytes);
    });
    far.on("data", (bytes) => {
      if (!pair.dead) back.carry(bytes);
    });
    // An error is followed by the end.
    for (const socket of [near, far]) socket.on("error", () => undefined);
    near.on("close", () => {
      pairs.delete(pair);
      there.end();
    });
    far.on("close", () => {
      if (!pair.dead) back.end();
    });
  };

  const server = createServer((near) => {
    accepted += 1;
    if (state === "reset") near.resetAndDestroy();
    else join(near);
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
      for (const pair of pairs)
        if (next === "silent") pair.dead = true;
        else if (next === "reset") for (const socket of [pair.near, pair.far]) socket.resetAndDestroy();
    },
    close: async () => {
      for (const { near, far } of pairs) for (const socket of [near, far]) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
};
