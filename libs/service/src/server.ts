import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { StartError } from "./start-error.ts";

/** Longer than any keep-alive agent in front of us waits, so that the side that sends also ends the connection. */
const keepAliveMs = 75_000;
/** How long a request may take to arrive. Node has one limit for all of them, so ours is kept here. */
const requestMs = 120_000;
const lookMs = 10_000;

const unhurried = new WeakSet<IncomingMessage>();

/** Lets the body of a request arrive for as long as it comes: whoever reads it judges that. */
export const takesItsTime = (request: IncomingMessage): void => void unhurried.add(request);

/** What is not the usual 400, by Node's codes. */
const refusals: Readonly<Record<string, readonly [number, string]>> = {
  HPE_HEADER_OVERFLOW: [431, "Request Header Fields Too Large"],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "Request Timeout"],
};

/** What Node's parser refuses never becomes a request; it still gets an envelope. */
const refuse = (error: { readonly code?: unknown }, socket: Socket): void => {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const [status, message] = refusals[String(error.code)] ?? [400, "Bad Request"];
  const body = JSON.stringify({ message });
  socket.end(
    `HTTP/1.1 ${status} ${message}\r\nContent-Type: application/json; charset=utf-8\r\nCache-Control: no-store\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
};

const lastOnConnection = (response: ServerResponse): void => {
  if (!response.headersSent) response.setHeader("Connection", "close");
};

export interface ServerParts {
  /** Classes of requests and answers; Node's own when missing. */
  readonly messages?: Pick<ServerOptions, "IncomingMessage" | "ServerResponse">;
  readonly limits?: { readonly requestMs: number; readonly lookMs: number };
}

/** An HTTP server that knows its running requests, so that it can be drained. */
export interface DrainableServer {
  listen(port: number, host: string): Promise<number>;
  /** Still accepts; every answer is the last on its connection, so that a drain meets none that is about to be used. */
  retire(): void;
  /** Stops accepting, waits for running requests at most `ms`, then calls `expire` and breaks the rest off. */
  drain(ms: number, expire: () => void): Promise<void>;
}

export const drainableServer = (
  listener: RequestListener,
  { messages = {}, limits = { requestMs, lookMs } }: ServerParts = {},
): DrainableServer => {
  const running = new Set<ServerResponse>();
  /** When each request began that may still arrive: also those that have their answer already. */
  const arriving = new Map<ServerResponse, number>();
  let retiring = false;
  let draining = false;
  let idle: (() => void) | undefined;
  // Node's own answer to a request without Host has no envelope.
  const server: Server = createServer({ ...messages, requireHostHeader: false }, (request, response) => {
    if (request.headers.host === undefined && request.httpVersion === "1.1") {
      refuse({}, request.socket);
      return;
    }
    running.add(response);
    arriving.set(response, performance.now());
    response.once("close", () => {
      running.delete(response);
      if (request.complete) arriving.delete(response);
      if (draining) {
        server.closeIdleConnections();
        if (running.size === 0) idle?.();
      }
    });
    if (retiring) lastOnConnection(response);
    listener(request, response);
  });
  server.keepAliveTimeout = keepAliveMs;
  server.requestTimeout = 0;
  const look = setInterval(() => {
    const before = performance.now() - limits.requestMs;
    for (const [response, since] of arriving) {
      const { req: request, headersSent } = response;
      if (request.complete || request.destroyed) arriving.delete(response);
      else if (since < before && !unhurried.has(request)) {
        if (headersSent) request.socket.destroy();
        else refuse({ code: "ERR_HTTP_REQUEST_TIMEOUT" }, request.socket);
      }
    }
  }, limits.lookMs).unref();
  server.on("clientError", refuse);
  server.on("checkExpectation", (_request: IncomingMessage, response: ServerResponse) => {
    const body = JSON.stringify({ message: "Expectation Failed" });
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
