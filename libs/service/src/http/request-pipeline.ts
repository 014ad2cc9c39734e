import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Connection, Connections } from "./connections.ts";
import { messageFault } from "./message-fault.ts";
import { bareRefusal, refuseConnection } from "./refuse-connection.ts";
import { requestIdHeader, requestIdOf } from "./request-id.ts";
import { isAuthenticated, type RequestTimeouts } from "./request-timeouts.ts";

const closeAfter = (response: ServerResponse): void => {
  if (!response.headersSent) response.setHeader("Connection", "close");
};

const isIncomplete = (request: IncomingMessage | undefined): boolean => request?.complete === false;

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

export interface RequestPipelineParts {
  readonly listener: RequestListener;
  readonly connections: Connections;
  readonly timeouts: RequestTimeouts;
  /** Requests of one connection that wait for the one that runs. */
  readonly pipelined: number;
  readonly onRefused: (limit: string) => void;
  /** Called after each request that ends. */
  readonly onEnd: () => void;
}

/** Runs the requests of each connection one after the other, in the order in which they came. */
export class RequestPipeline {
  readonly #parts: RequestPipelineParts;
  readonly #running = new Set<ServerResponse>();
  #isRetiring = false;

  constructor(parts: RequestPipelineParts) {
    this.#parts = parts;
  }

  /** Requests that are running, over all connections. */
  get size(): number {
    return this.#running.size;
  }

  /** Every response from now on is the last on its connection. */
  retire(): void {
    this.#isRetiring = true;
    for (const response of this.#running) closeAfter(response);
  }

  accept(request: IncomingMessage, response: ServerResponse): void {
    const { connections, pipelined, onRefused } = this.#parts;
    const connection = connections.of(request.socket);
    // Bytes after a fault mean nothing; a connection that is not kept is being ended.
    if (connection === undefined || connection.fault !== undefined) return;
    const fault = messageFault(request);
    if (fault !== undefined) this.fail(connection, fault);
    else if (connection.running === undefined) this.#run(connection, request, response);
    else if (connection.waiting.length < pipelined) connection.waiting.push({ request, response });
    else {
      onRefused("pipelined requests");
      refusePipelined(request, response, pipelined);
    }
  }

  /** Ends a connection of which nothing more can be read; requests that were read before are answered first. */
  fail(connection: Connection, fault: unknown): void {
    const { running: current, socket } = connection;
    connection.fault ??= fault;
    // The fault is in a body whose request has its answer, or a part of it.
    if (isIncomplete(connection.unread) || (isIncomplete(current?.req) && current?.headersSent === true))
      socket.destroy();
    else if (current === undefined || isIncomplete(current.req)) refuseConnection(connection.fault, socket);
  }

  #run(connection: Connection, request: IncomingMessage, response: ServerResponse): void {
    const { connections, timeouts, listener } = this.#parts;
    connection.running = response;
    connections.setIdle(connection, false);
    this.#running.add(response);
    timeouts.begin(response);
    response.once("close", () => this.#end(connection, request, response));
    if (this.#isRetiring) closeAfter(response);
    listener(request, response);
  }

  #end(connection: Connection, request: IncomingMessage, response: ServerResponse): void {
    this.#running.delete(response);
    if (request.complete) this.#parts.timeouts.end(response);
    else connection.unread = request;
    if (isAuthenticated(request)) connection.authenticated = true;
    connection.running = undefined;
    this.#runNext(connection);
    this.#parts.onEnd();
  }

  /** Runs the next request that waits, or answers the fault that ended the reading. */
  #runNext(connection: Connection): void {
    const { socket, waiting, fault } = connection;
    // The last response closed the connection.
    if (!socket.writable) {
      waiting.length = 0;
      return;
    }
    const next = waiting.shift();
    if (next !== undefined) this.#run(connection, next.request, next.response);
    else if (fault !== undefined) refuseConnection(fault, socket);
    else this.#parts.connections.setIdle(connection, true);
  }
}
