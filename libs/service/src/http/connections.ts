import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { clientNetwork } from "./client-network.ts";

/** One connection: at most one of its requests runs at a time, the others wait in their order. */
export interface Connection {
  readonly socket: Socket;
  running: ServerResponse | undefined;
  readonly waiting: { readonly request: IncomingMessage; readonly response: ServerResponse }[];
  /** The response was sent before the body was complete: the rest is read and discarded. */
  unread: IncomingMessage | undefined;
  /** Why nothing more of it is read; answered after the requests that were read before. */
  fault: unknown;
  /** A request on it carried an accepted credential. */
  authenticated: boolean;
}

export interface ConnectionLimits {
  /** Of the process. */
  readonly total: number;
  /** Of one client address, or of one /64 network of IPv6. */
  readonly perAddress: number;
  /** True for the address of a proxy, which many clients share: it has no limit of its own. */
  readonly isShared?: (address: string) => boolean;
}

/** The limit that does not admit a connection. */
export type FullLimit = Exclude<keyof ConnectionLimits, "isShared">;

/** The open connections of a server. */
export interface Connections {
  /** @returns the limit that does not admit it; undefined when it is kept. */
  add(socket: Socket): FullLimit | undefined;
  of(socket: Socket): Connection | undefined;
  /** Marks a connection as idle or busy: one that is idle may be closed for another. */
  setIdle(connection: Connection, idle: boolean): void;
}

/** One address keeps an eighth of all connections, once they have carried an accepted credential. */
const addressShare = 1 / 8;

interface Address {
  count: number;
  /** Connections that wait for a request and never carried an accepted credential, the longest waiting first. */
  readonly anonymous: Set<Connection>;
  /** The same of those that carried one. */
  readonly authenticated: Set<Connection>;
}

const newAddress = (): Address => ({ count: 0, anonymous: new Set(), authenticated: new Set() });

const newConnection = (socket: Socket): Connection => ({
  socket,
  running: undefined,
  waiting: [],
  unread: undefined,
  fault: undefined,
  authenticated: false,
});

class OpenConnections implements Connections {
  readonly #limits: ConnectionLimits;
  readonly #connections = new Map<Socket, Connection>();
  readonly #addresses = new Map<string, Address>();
  readonly #addressOf = new WeakMap<Connection, Address>();
  /** Anonymous ones of all addresses. */
  readonly #anonymous = new Set<Connection>();

  constructor(limits: ConnectionLimits) {
    this.#limits = limits;
  }

  of(socket: Socket): Connection | undefined {
    return this.#connections.get(socket);
  }

  add(socket: Socket): FullLimit | undefined {
    const { perAddress, total, isShared } = this.#limits;
    const name = clientNetwork(socket.remoteAddress);
    const address = this.#addresses.get(name) ?? newAddress();
    const isFull = address.count >= perAddress && isShared?.(socket.remoteAddress ?? "") !== true;
    if (isFull && !this.#evict(address.anonymous) && !this.#evict(address.authenticated)) return "perAddress";
    if (
      this.#connections.size >= total &&
      !this.#evict(this.#anonymous) &&
      !this.#evict(this.#ofFullestAddress())
    )
      return "total";
    const connection = newConnection(socket);
    this.#connections.set(socket, connection);
    this.#addresses.set(name, address);
    this.#addressOf.set(connection, address);
    address.count++;
    address.anonymous.add(connection);
    this.#anonymous.add(connection);
    socket.once("close", () => {
      this.#forget(connection);
      if (address.count === 0 && this.#addresses.get(name) === address) this.#addresses.delete(name);
    });
    return undefined;
  }

  setIdle(connection: Connection, isIdle: boolean): void {
    const isKept = this.#connections.has(connection.socket);
    const address = isKept ? this.#addressOf.get(connection) : undefined;
    if (address === undefined) return;
    if (!isIdle) this.#removeIdle(connection, address);
    else if (connection.authenticated) address.authenticated.add(connection);
    else {
      this.#anonymous.add(connection);
      address.anonymous.add(connection);
    }
  }

  /** Idle connections with an accepted credential of the address that has most of all connections, and more than its share. */
  #ofFullestAddress(): Set<Connection> {
    let most: Address | undefined;
    for (const address of this.#addresses.values()) {
      const least = most?.count ?? this.#limits.total * addressShare;
      if (address.authenticated.size > 0 && address.count > least) most = address;
    }
    return most?.authenticated ?? new Set();
  }

  #evict(candidates: Set<Connection>): boolean {
    const [oldest] = candidates;
    if (oldest === undefined) return false;
    // Its `close` event comes later; it no longer counts from now on.
    this.#forget(oldest);
    oldest.socket.destroy();
    return true;
  }

  #removeIdle(connection: Connection, address: Address): void {
    this.#anonymous.delete(connection);
    address.anonymous.delete(connection);
    address.authenticated.delete(connection);
  }

  #forget(connection: Connection): void {
    if (!this.#connections.delete(connection.socket)) return;
    const address = this.#addressOf.get(connection);
    if (address === undefined) return;
    this.#removeIdle(connection, address);
    address.count--;
  }
}

/**
 * Counts connections. Where a limit is reached, the connection that waits longest for a request and never carried an
 * accepted credential is closed for the new one. If there is none, one that carried one is closed: of the address that is full, or of
 * the address with most connections if it has more than an eighth of all. Otherwise the new one is refused.
 */
export const openConnections = (limits: ConnectionLimits): Connections => new OpenConnections(limits);
