import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { clientNetwork } from "./client-network.ts";

/** One connection: at most one of its requests runs at a time, the others wait in their order. */
export interface Connection {
  readonly socket: Socket;
  running: ServerResponse | undefined;
  readonly waiting: { readonly request: IncomingMessage; readonly response: ServerResponse }[];
  /** Answered before its body was complete: the rest is read and dropped. */
  unread: IncomingMessage | undefined;
  /** Why nothing more of it is read; answered after what was read before. */
  fault: unknown;
  /** A request on it carried an accepted credential. */
  authenticated: boolean;
}

export interface ConnectionLimits {
  /** Of the process. */
  readonly inAll: number;
  /** Of one client address, or of one /64 network of IPv6. */
  readonly perAddress: number;
}

/** The open connections of a server. */
export interface Connections {
  /** @returns the limit that does not admit it; undefined when it is kept. */
  add(socket: Socket): keyof ConnectionLimits | undefined;
  of(socket: Socket): Connection | undefined;
  /** Says that a connection has begun or ended a request: one that is idle and anonymous may be closed for another. */
  setIdle(connection: Connection, idle: boolean): void;
}

interface Address {
  count: number;
  readonly idle: Set<Connection>;
}

/**
 * Counts connections. Where a limit is reached, the connection that waits longest for a request and never carried an
 * accepted credential is closed for the new one; without such a one the new one is refused.
 */
export const openConnections = (limits: ConnectionLimits): Connections => {
  const connections = new Map<Socket, Connection>();
  const addresses = new Map<string, Address>();
  const idle = new Set<Connection>();
  const addressOf = new WeakMap<Connection, Address>();

  const evict = (candidates: Set<Connection>): boolean => {
    const [oldest] = candidates;
    if (oldest === undefined) return false;
    // Its `close` event comes later; the place is free now.
    forget(oldest);
    oldest.socket.destroy();
    return true;
  };

  const forget = (connection: Connection): void => {
    if (!connections.delete(connection.socket)) return;
    const address = addressOf.get(connection);
    idle.delete(connection);
    if (address === undefined) return;
    address.idle.delete(connection);
    address.count--;
  };

  return {
    add: (socket) => {
      const name = clientNetwork(socket.remoteAddress);
      const address = addresses.get(name) ?? { count: 0, idle: new Set<Connection>() };
      if (address.count >= limits.perAddress && !evict(address.idle)) return "perAddress";
      if (connections.size >= limits.inAll && !evict(idle)) return "inAll";
      const connection: Connection = {
        socket,
        running: undefined,
        waiting: [],
        unread: undefined,
        fault: undefined,
        authenticated: false,
      };
      connections.set(socket, connection);
      addresses.set(name, address);
      addressOf.set(connection, address);
      address.count++;
      address.idle.add(connection);
      idle.add(connection);
      socket.once("close", () => {
        forget(connection);
        if (address.count === 0 && addresses.get(name) === address) addresses.delete(name);
      });
      return undefined;
    },
    of: (socket) => connections.get(socket),
    setIdle: (connection, isIdle) => {
      if (isIdle && connection.authenticated) return;
      const known = connections.has(connection.socket) ? addressOf.get(connection) : undefined;
      if (known === undefined) return;
      if (isIdle) {
        idle.add(connection);
        known.idle.add(connection);
      } else if (idle.delete(connection)) known.idle.delete(connection);
    },
  };
};
