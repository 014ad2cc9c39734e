import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { type Connection, type ConnectionLimits, openConnections } from "./connections.ts";
import { maxHeaderFields, messageFault } from "./message-fault.ts";
import { bareRefusal, refuseConnection } from "./refuse-connection.ts";
import { requestIdHeader, requestIdOf } from "./request-id.ts";
import { StartError } from "./start-error.ts";

/** Longer than any keep-alive agent in front of us waits, so that the side that sends also ends the connection. */
const keepAliveMs = 75_000;
/** Bytes of a connection are asked for after this silence, so that one whose other end is gone is noticed. */
const probeMs = 60_000;

/** Times and numbers that a server allows. Node has one time for all requests, so ours are kept here. */
export interface ServerLimits {
  /** Milliseconds for the headers of a request, from its first byte, or from the opening of its connection. */
  readonly headersMs: number;
  /** Milliseconds for a request whose caller has presented no accepted credential yet. */
  readonly anonymousMs: number;
  /** Milliseconds for a request with an accepted credential. */
  readonly requestMs: number;
  /** How often times are looked at. */
  readonly lookMs: number;
  /** Pipelined requests of one connection that wait for the one that runs. */
  readonly pipelined: number;
  readonly connections: ConnectionLimits;
}

export const defaultServerLimits: ServerLimits = {
  headersMs: 10_000,
  anonymousMs: 10_000,
  requestMs: 120_000,
  lookMs: 1_000,
  pipelined: 64,
  connections: { inAll: 8_192, perAddress: Infinity },
};

const unhurried = new WeakSet<IncomingMessage>();
const authenticated = new WeakSet<IncomingMessage>();

/** Lets the body of a request arrive for as long as it comes: whoever reads it judges that. */
export const exemptFromRequestTimeout = (request: IncomingMessage): void => void unhurried.add(request);

/** Says that a request carries an accepted credential: it may take longer, and its connection is kept while idle. */
export const markAuthenticated = (request: IncomingMessage): void => void authenticated.add(request);

const lastOnConnection = (response: ServerResponse): void => {
  if (!response.headersSent) response.setHeader("Connection", "close");
};

export interface ServerParts {
  /** Classes of requests and answers; Node's own when missing. */
  readonly messages?: Pick<ServerOptions, "IncomingMessage" | "ServerResponse">;
  /** What is missing has its default. */
  readonly limits?: Partial<ServerLimits>;
  /** Hears of everything that is refused because of a limit, by the limit's name. */
  readonly onRefused?: (limit: string) => void;
}

/** An HTTP server that knows its running requests, so that it can be drained. */
export interface DrainableServer {
  listen(port: number, host: string): Promise<number>;
  /** Still accepts; every answer is the last on its connection, so that a drain meets none that is about to be used. */
  retire(): void;
  /** Stops accepting, waits for running requests at most `ms`, then calls `expire` and breaks the rest off. */
  drain(ms: number, expire: () => void): Promise<void>;
}

/** Answers a request beyond the limit of its connection, in its turn. */
const refusePipelined = (request: IncomingMessage, response: ServerResponse, pipelined: number): void => {
  const { body } = bareRefusal(429, `pipelined requests: at most ${pipelined} wait on one connection`);
  response
    .writeHead(429, {
      "Content-Type": "application/json; charset=utf-8",
      "Content-Length": Buffer.byteLength(body),
      "Cache-Control": "no-store",
      "Retry-After": "1",
      [requestIdHeader]: requestIdOf(request),
    })
    .end(body);
};

const connectionDetails: Readonly<Record<keyof ConnectionLimits, string>> = {
  inAll: "connections: this process has as many as it keeps",
  perAddress: "connections: this address has as many as it may have",
};

export const drainableServer = (
  listener: RequestListener,
  { messages = {}, limits: given = {}, onRefused = () => undefined }: ServerParts = {},
): DrainableServer => {
  const limits = { ...defaultServerLimits, ...given };
  const connections = openConnections(limits.connections);
  const running = new Set<ServerResponse>();
  /** When each request began that may still arrive: also those that have their answer already. */
  const arriving = new Map<ServerResponse, number>();
  let retiring = false;
  let draining = false;
  let idle: (() => void) | undefined;

  const begin = (connection: Connection, request: IncomingMessage, response: ServerResponse): void => {
    connection.running = response;
    if (!connection.authenticated) connections.setIdle(connection, false);
    running.add(response);
    arriving.set(response, performance.now());
    response.once("close", () => {
      running.delete(response);
      if (request.complete) arriving.delete(response);
      else connection.unread = request;
      if (authenticated.has(request)) connection.authenticated = true;
      connection.running = undefined;
      goOn(connection);
      if (draining) {
        server.closeIdleConnections();
        if (running.size === 0) idle?.();
      }
    });
    if (retiring) lastOnConnection(response);
    listener(request, response);
  };

  /** The next request that waits, or what ended the reading; nothing after an answer that was the last. */
  const goOn = (connection: Connection): void => {
    const { socket, waiting, fault } = connection;
    if (!socket.writable) {
      waiting.length = 0;
      return;
    }
    const next = waiting.shift();
    if (next !== undefined) begin(connection, next.request, next.response);
    else if (fault !== undefined) refuseConnection(fault, socket);
    else if (!connection.authenticated) connections.setIdle(connection, true);
  };

  /** Ends a connection on whose bytes nothing can be read any more; what was read before is answered first. */
  const stop = (connection: Connection, fault: unknown): void => {
    const { running: current, socket } = connection;
    connection.fault ??= fault;
    const isIncomplete = (request: IncomingMessage | undefined): boolean => request?.complete === false;
    // The fault is in a body whose request has its answer, or a part of it.
    if (isIncomplete(connection.unread) || (isIncomplete(current?.req) && current?.headersSent === true))
      socket.destroy();
    else if (current === undefined || isIncomplete(current.req)) refuseConnection(connection.fault, socket);
  };

  const server: Server = createServer(
    {
      ...messages,
      // Node's own answer to a request without Host has no envelope.
      requireHostHeader: false,
      headersTimeout: limits.headersMs,
      requestTimeout: 0,
      keepAliveTimeout: keepAliveMs,
      connectionsCheckingInterval: limits.lookMs,
      keepAlive: true,
      keepAliveInitialDelay: probeMs,
    },
    (request, response) => {
      const connection = connections.of(request.socket);
      // Bytes after a fault mean nothing; a connection that is not kept is being ended.
      if (connection === undefined || connection.fault !== undefined) return;
      const fault = messageFault(request);
      if (fault !== undefined) stop(connection, fault);
      else if (connection.running === undefined) begin(connection, request, response);
      else if (connection.waiting.length < limits.pipelined) connection.waiting.push({ request, response });
      else {
        onRefused("pipelined requests");
        refusePipelined(request, response, limits.pipelined);
      }
    },
  );
  server.maxHeadersCount = maxHeaderFields + 1;
  server.on("connection", (socket: Socket) => {
    const full = connections.add(socket);
    if (full === undefined) return;
    onRefused("connections");
    refuseConnection({ status: 503, detail: connectionDetails[full] }, socket);
  });
  const look = setInterval(() => {
    const now = performance.now();
    for (const [response, since] of arriving) {
      const { req: request, headersSent } = response;
      const allowed = authenticated.has(request) ? limits.requestMs : limits.anonymousMs;
      if (request.complete || request.destroyed) arriving.delete(response);
      else if (now - since > allowed && !unhurried.has(request)) {
        if (headersSent) request.socket.destroy();
        else refuseConnection({ code: "ERR_HTTP_REQUEST_TIMEOUT" }, request.socket);
      }
    }
  }, limits.lookMs).unref();
  server.on("clientError", (error: Error, socket: Socket) => {
    const connection = connections.of(socket);
    // Opened ahead by a client that sent nothing: an answer would belong to its first request.
    if (socket.bytesRead === 0) socket.destroy();
    else if (connection === undefined || !socket.writable) refuseConnection(error, socket);
    else stop(connection, error);
  });
  server.on("checkExpectation", (_request: IncomingMessage, response: ServerResponse) => {
    const { body } = bareRefusal(417);
    response
      .writeHead(417, {
        "Content-Type": "application/json; charset=utf-8",
        "Content-Length": Buffer.byteLength(body),
        Connection: "close",
      })
      .end(body);
  });

  const retire = (): void => {
    retiring = true;
    for (const response of running) lastOnConnection(response);
  };

  return {
    listen: (port, host) =>
      new Promise((resolve, reject) => {
        server.once("error", (cause) => reject(new StartError([listenFault(cause, port, host)], cause)));
        // An AddressInfo, since the server listens on a port and not on a socket file.
        server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
      }),
    retire,
    drain: async (ms, expire) => {
      retire();
      draining = true;
      clearInterval(look);
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      if (running.size > 0) {
        let timer: NodeJS.Timeout | undefined;
        const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
        await Promise.race([new Promise<void>((resolve) => (idle = resolve)), late]);
        clearTimeout(timer);
      }
      expire();
      server.closeAllConnections();
      await closed;
    },
  };
};

const listenFault = (error: Error, port: number, host: string): string => {
  const code = "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE") return `port ${port} on ${host} is in use; end what uses it or set PORT`;
  if (code === "EACCES") return `port ${port} on ${host} may not be opened by this user; set PORT`;
  return `cannot listen on ${host} port ${port}: ${error.message}`;
};
