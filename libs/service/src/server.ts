import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { StartError } from "./start-error.ts";

/** Longer than any keep-alive agent in front of us waits, so that the side that sends also ends the connection. */
const keepAliveMs = 75_000;
const requestMs = 120_000;

const tooLarge = "HPE_HEADER_OVERFLOW";

/** What Node's parser refuses never becomes a request; it still gets an envelope. */
const refuse = (error: Error, socket: Socket): void => {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const [status, message] =
    "code" in error && error.code === tooLarge
      ? [431, "Request Header Fields Too Large"]
      : [400, "Bad Request"];
  const body = JSON.stringify({ message });
  socket.end(
    `HTTP/1.1 ${status} ${message}\r\nContent-Type: application/json; charset=utf-8\r\nCache-Control: no-store\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
};

const lastOnConnection = (response: ServerResponse): void => {
  if (!response.headersSent) response.setHeader("Connection", "close");
};

/** An HTTP server that knows its running requests, so that it can be drained. */
export interface DrainableServer {
  listen(port: number, host: string): Promise<number>;
  /** Stops accepting, waits for running requests at most `ms`, then calls `expire` and breaks the rest off. */
  drain(ms: number, expire: () => void): Promise<void>;
}

export const drainableServer = (listener: RequestListener): DrainableServer => {
  const running = new Set<ServerResponse>();
  let draining = false;
  let idle: (() => void) | undefined;
  const server: Server = createServer((request, response) => {
    running.add(response);
    response.once("close", () => {
      running.delete(response);
      if (draining) {
        server.closeIdleConnections();
        if (running.size === 0) idle?.();
      }
    });
    if (draining) lastOnConnection(response);
    listener(request, response);
  });
  server.keepAliveTimeout = keepAliveMs;
  server.requestTimeout = requestMs;
  server.on("clientError", refuse);

  return {
    listen: (port, host) =>
      new Promise((resolve, reject) => {
        server.once("error", (cause) => reject(new StartError([listenFault(cause, port, host)], cause)));
        // An AddressInfo, since the server listens on a port and not on a socket file.
        server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
      }),
    drain: async (ms, expire) => {
      draining = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      for (const response of running) lastOnConnection(response);
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
