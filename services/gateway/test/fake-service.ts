import express, { type Request, type Response } from "express";
import type { Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";

/** What arrived at the service behind the gateway. */
export interface Arrived {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: number;
  readonly aborted: boolean;
}

export interface FakeService {
  readonly url: string;
  readonly arrived: Arrived[];
  /** How the next requests are answered; the body was read. */
  answer: (request: Request, response: Response, bytes: number) => void;
  /** Answers before the body is read, when it is set. */
  early: ((request: Request, response: Response) => void) | undefined;
  /** Requests whose end did not come, on connections that are open. */
  unfinished(): number;
  /** Breaks every connection and refuses new ones. */
  kill(): Promise<void>;
  /** Listens again on the same port. */
  revive(): Promise<void>;
}

const json = (_request: Request, response: Response, bytes: number): void => {
  response.json({ bytes });
};

/** A real express server in the place of a service; it reads bodies as they come and answers as configured. */
export const startFakeService = async (): Promise<FakeService> => {
  const app = express();
  const sockets = new Set<Socket>();
  const running = new Set<Request>();
  let server: Server;
  let port = 0;
  const listen = (): Promise<void> =>
    new Promise((resolve, reject) => {
      server = app.listen(port, "127.0.0.1", (error?: Error) => {
        if (error !== undefined) return reject(error);
        // Listening on a port, so the address is an AddressInfo.
        port = (server.address() as AddressInfo).port;
        resolve();
      });
      server.on("connection", (socket) => {
        sockets.add(socket);
        socket.on("close", () => sockets.delete(socket));
      });
    });
  const fake = {
    url: "",
    arrived: [] as Arrived[],
    answer: json,
    early: undefined as FakeService["early"],
    unfinished: () => [...running].filter((request) => !request.complete && !request.destroyed).length,
    kill: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    revive: listen,
  };
  app.use((request: Request, response: Response) => {
    running.add(request);
    // As every service does.
    response.setHeader("X-Request-ID", request.get("X-Request-ID") ?? "");
    response.on("close", () => running.delete(request));
    if (fake.early !== undefined) {
      fake.early(request, response);
      return;
    }
    let bytes = 0;
    const arrive = (aborted: boolean) =>
      fake.arrived.push({
        method: request.method,
        url: request.url,
        headers: { ...request.headers },
        bytes,
        aborted,
      });
    request.on("data", (chunk: Buffer) => (bytes += chunk.length));
    request.on("end", () => {
      arrive(false);
      fake.answer(request, response, bytes);
    });
    request.on("aborted", () => arrive(true));
  });
  await listen();
  fake.url = `http://127.0.0.1:${port}`;
  return fake;
};
