/** A server on this machine that answers as a test says, also badly. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, type Socket } from "node:net";
import { gunzipSync } from "node:zlib";

/** A request that came. */
export interface Received {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
  readonly json: unknown;
}

/** What becomes of one request, when it is read. */
export type Behaviour = (response: ServerResponse, request: Received) => void;

export const answer =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Behaviour =>
  (response) =>
    void response
      .writeHead(status, { "Content-Type": "application/json", "X-Request-ID": "r-1", ...headers })
      .end(typeof body === "string" ? body : JSON.stringify(body));

/** The error response of a service. */
export const refuse = (status: number, message: string, headers: Readonly<Record<string, string>> = {}) =>
  answer(status, { message }, headers);

/** The connection breaks after the request was read. */
export const reset: Behaviour = (response) => void response.socket?.destroy();

/** The connection breaks in the middle of the response. */
export const truncate: Behaviour = (response) => {
  response.writeHead(200, { "Content-Type": "application/json", "Content-Length": "100" });
  response.write('{"decision":');
  setTimeout(() => response.socket?.destroy(), 5);
};

/** There is never a response. */
export const hang: Behaviour = () => undefined;

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer); // without an encoding
  const body = Buffer.concat(chunks);
  return (request.headers["content-encoding"] === "gzip" ? gunzipSync(body) : body).toString();
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const started = new Set<TestServer>();

/** Closes the servers that a test has started. */
export const closeServers = async (): Promise<void> => {
  await Promise.all([...started].map((server) => server.close()));
};

export class TestServer {
  readonly received: Received[] = [];
  readonly sockets = new Set<Socket>();
  /** Sockets whose request has no whole response yet. */
  readonly busy = new Set<Socket>();
  /** Connections that are closed before anything is read. */
  refusedConnections = 0;
  readonly #server: Server;
  #respond: Behaviour;

  private constructor(respond: Behaviour) {
    this.#respond = respond;
    this.#server = createServer((request, response) => void this.#handle(request, response));
    this.#server.on("connection", (socket) => {
      if (this.refusedConnections > 0) {
        this.refusedConnections--;
        socket.destroy();
        return;
      }
      this.sockets.add(socket);
      socket.once("close", () => this.sockets.delete(socket));
    });
  }

  /** @param behaviours of the requests, in turn; the last one is that of all further ones. */
  static start(...behaviours: readonly Behaviour[]): Promise<TestServer> {
    return TestServer.startAt(0, ...behaviours);
  }

  /** The same at a port that is known before it listens. */
  static async startAt(port: number, ...behaviours: readonly Behaviour[]): Promise<TestServer> {
    const server = new TestServer(() => undefined);
    server.behave(...behaviours);
    await new Promise<void>((resolve) => server.#server.listen(port, "127.0.0.1", resolve));
    started.add(server);
    return server;
  }

  behave(...behaviours: readonly Behaviour[]): void {
    let next = 0;
    this.#respond = (response, request) => {
      const behaviour = behaviours[Math.min(next++, behaviours.length - 1)];
      behaviour?.(response, request);
    };
  }

  get baseUrl(): string {
    const { port } = this.#server.address() as AddressInfo; // it listens
    return `http://127.0.0.1:${port}`;
  }

  async close(): Promise<void> {
    started.delete(this);
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { socket } = request;
    this.busy.add(socket);
    response.once("close", () => this.busy.delete(socket));
    try {
      const text = await bodyOf(request);
      const { method = "", url: path = "", headers } = request;
      const received = { method, path, headers, text, json: parsed(text) };
      this.received.push(received);
      this.#respond(response, received);
    } catch {
      // The client has gone in the middle of its request.
      response.destroy();
    }
  }
}
