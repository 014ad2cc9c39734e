import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { Socket } from "node:net";
import type { TlsFiles } from "@ikg/tls";
import { type Connections, type FullLimit, openConnections } from "./connections.ts";
import { listen } from "./listen.ts";
import { maxHeaderFields } from "./message-fault.ts";
import { bareRefusal, refuseConnection } from "./refuse-connection.ts";
import { requestIdHeader, requestIdOf } from "./request-id.ts";
import { RequestPipeline } from "./request-pipeline.ts";
import { RequestTimeouts } from "./request-timeouts.ts";
import { defaultServerLimits, type ServerLimits } from "./server-limits.ts";

/** Longer than the keep-alive of any client's agent, so that the side that sends also ends the connection. */
const keepAliveMs = 75_000;
/** TCP probes start after this silence, so that a connection whose peer is gone is noticed. */
const probeMs = 60_000;

export interface ServerParts {
  /** Classes of requests and responses; Node's own when missing. */
  readonly messages?: Pick<ServerOptions, "IncomingMessage" | "ServerResponse">;
  /** Missing ones have their defaults. */
  readonly limits?: Partial<ServerLimits>;
  /** Called with the name of the limit for every refusal because of one. */
  readonly onRefused?: (limit: string) => void;
  /** Without it the server speaks HTTP without TLS. */
  readonly tls?: ServerTls | undefined;
}

/** TLS of a server. The listener decides which callers are served, because probes have no certificate. */
export interface ServerTls {
  readonly files: TlsFiles;
  /** Called for connections that end before they are secure. */
  readonly onFault: (error: Error) => void;
}

/** An HTTP server that knows its running requests, so that it can be drained. */
export interface DrainableServer {
  /** @returns the port. @throws StartError when the server cannot listen there. */
  listen(port: number, host: string): Promise<number>;
  /** Still accepts, but closes each connection after its response, so that a drain interrupts none that a client reuses. */
  retire(): void;
  /** Stops accepting, waits for running requests at most `ms`, then calls `expire` and destroys the rest. */
  drain(ms: number, expire: () => void): Promise<void>;
}

const connectionDetails: Readonly<Record<FullLimit, string>> = {
  total: "connections: the process has reached MAX_CONNECTIONS",
  perAddress: "connections: the client address has reached MAX_CONNECTIONS_PER_ADDRESS",
};

const serverOptions = ({ headersMs, checkIntervalMs }: ServerLimits): ServerOptions => ({
  // Node's own response to a request without Host has no error envelope.
  requireHostHeader: false,
  headersTimeout: headersMs,
  requestTimeout: 0,
  keepAliveTimeout: keepAliveMs,
  connectionsCheckingInterval: checkIntervalMs,
  keepAlive: true,
  keepAliveInitialDelay: probeMs,
});

const refuseExpectation = (request: IncomingMessage, response: ServerResponse): void => {
  const { body } = bareRefusal(417);
  response
    .writeHead(417, {
      "Content-Type": "application/json; charset=utf-8",
      "Content-Length": Buffer.byteLength(body),
      [requestIdHeader]: requestIdOf(request),
      Connection: "close",
    })
    .end(body);
};

/** Admits new connections within their limits, and ends those that send no valid HTTP. */
const guardConnections = (
  server: Server,
  connections: Connections,
  pipeline: RequestPipeline,
  onRefused: (limit: string) => void,
  tls: ServerTls | undefined,
): void => {
  server.on(tls === undefined ? "connection" : "secureConnection", (socket: Socket) => {
    const full = connections.add(socket);
    if (full === undefined) return;
    onRefused("connections");
    refuseConnection({ status: 503, detail: connectionDetails[full] }, socket);
  });
  server.on("clientError", (error: Error, socket: Socket) => {
    const connection = connections.of(socket);
    if (tls !== undefined && connection === undefined) {
      tls.onFault(error);
      socket.destroy();
      return;
    }
    // Preconnected by a client that has sent nothing: a response would be taken for that of its first request.
    if (socket.bytesRead === 0) socket.destroy();
    else if (connection === undefined || !socket.writable) refuseConnection(error, socket);
    else pipeline.fail(connection, error);
  });
  server.on("checkExpectation", refuseExpectation);
};

/** An http or https server. Both have the same limits; one that speaks TLS uses new certificates from the next connection on. */
const newServer = (options: ServerOptions, tls: ServerTls | undefined, listener: RequestListener): Server => {
  if (tls === undefined) return createServer(options, listener);
  const { files } = tls;
  const server = createTlsServer(
    {
      ...options,
      ...files.current(),
      requestCert: files.current().ca !== undefined,
      rejectUnauthorized: false,
      handshakeTimeout: options.headersTimeout,
    },
    listener,
  );
  files.onChange((material) => server.setSecureContext(material));
  return server;
};

/** Resolves with `work`, or after `ms` if that is earlier. */
const atMost = async (ms: number, work: Promise<void>): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  await Promise.race([work, timeout]);
  clearTimeout(timer);
};

export const drainableServer = (
  listener: RequestListener,
  { messages = {}, limits: given = {}, onRefused = () => undefined, tls }: ServerParts = {},
): DrainableServer => {
  const limits = { ...defaultServerLimits, ...given };
  const connections = openConnections(limits.connections);
  const timeouts = new RequestTimeouts(limits);
  let onDrained: (() => void) | undefined;
  const onEnd = (): void => {
    if (onDrained === undefined) return;
    server.closeIdleConnections();
    if (pipeline.size === 0) onDrained();
  };
  const { pipelined } = limits;
  const pipeline = new RequestPipeline({ listener, connections, timeouts, pipelined, onRefused, onEnd });
  const server: Server = newServer({ ...messages, ...serverOptions(limits) }, tls, (request, response) =>
    pipeline.accept(request, response),
  );
  server.maxHeadersCount = maxHeaderFields + 1;
  guardConnections(server, connections, pipeline, onRefused, tls);

  return {
    listen: (port, host) => listen(server, { port, host, setting: "PORT" }, () => onRefused("connections")),
    retire: () => pipeline.retire(),
    drain: async (ms, expire) => {
      const drained = new Promise<void>((resolve) => (onDrained = resolve));
      pipeline.retire();
      timeouts.stop();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      if (pipeline.size > 0) await atMost(ms, drained);
      expire();
      server.closeAllConnections();
      await closed;
    },
  };
};
