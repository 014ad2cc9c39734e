import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { gzipSync } from "node:zlib";

/** A request as the server saw it. */
export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  /** Names and values one after the other, as they came. */
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

/** A service of a third party. Its behaviour follows from the first step of a path. */
export interface Upstream {
  readonly url: string;
  readonly seen: readonly Seen[];
  /** Most requests that were under way at the same moment. */
  readonly busiest: number;
  /** Requests whose caller left before the answer. */
  readonly left: number;
  /** Status of `/status`. */
  status: number;
  /** Milliseconds that `/wait` takes. */
  waitMs: number;
  forget(): void;
  close(): Promise<void>;
}

const json = { "Content-Type": "application/json" };

type Behaviour = (response: ServerResponse, upstream: Pick<Upstream, "status" | "waitMs" | "url">) => unknown;

const behaviours: Readonly<Record<string, Behaviour>> = {
  slow: () => undefined,
  drop: (response) => response.socket?.destroy(),
  half: (response) => {
    response.writeHead(200, { ...json, "Content-Length": "100" }).write("{");
    setTimeout(() => response.socket?.destroy(), 20);
  },
  redirect: (response, { url }) => response.writeHead(302, { ...json, Location: `${url}/price` }).end("{}"),
  status: (response, { status }) => response.writeHead(status, json).end('{"current":1}'),
  html: (response) => response.writeHead(200, { "Content-Type": "text/html" }).end('{"current":1}'),
  untyped: (response) => response.writeHead(200).end('{"current":1}'),
  problem: (response) =>
    response
      .writeHead(200, { "Content-Type": "application/problem+JSON; charset=utf-8" })
      .end('{"current":2}'),
  big: (response) => response.writeHead(200, json).end(`{"current":"${"a".repeat(2 * 1024 * 1024)}"}`),
  nearly: (response) => response.writeHead(200, json).end(`{"current":"${"a".repeat(1024 * 1024 - 20)}"}`),
  endless: (response) => {
    response.writeHead(200, json);
    const drip = setInterval(() => response.write(" ".repeat(64 * 1024)), 5);
    response.once("close", () => clearInterval(drip));
  },
  chunks: async (response) => {
    response.writeHead(200, json);
    // Two bytes of one letter come apart.
    const whole = Buffer.from('{"current":"\u00fc"}');
    for (const at of [0, 3, 13]) {
      response.write(whole.subarray(at, at === 0 ? 3 : at === 3 ? 13 : undefined));
      await pause(10);
    }
    response.end();
  },
  gzip: (response) =>
    response.writeHead(200, { ...json, "Content-Encoding": "gzip" }).end(gzipSync('{"current":1}')),
  utf8: (response) => response.writeHead(200, json).end(Buffer.from([0x22, 0xff, 0xfe, 0x22])),
  invalid: (response) => response.writeHead(200, json).end('{"current":1'),
  empty: (response) => response.writeHead(204).end(),
  deep: (response) => response.writeHead(200, json).end("[".repeat(5_000) + "]".repeat(5_000)),
  price: (response) =>
    response
      .writeHead(200, json)
      .end('{"current":18400,"nothing":null,"list":[1,{"a":"x"}],"chart":{"result":[{"meta":{"p":1.5}}]}}'),
};

/** Starts it on an address of its own. */
export const startUpstream = async (): Promise<Upstream> => {
  const seen: Seen[] = [];
  let busy = 0;
  let [busiest, left] = [0, 0];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    busiest = Math.max(busiest, ++busy);
    response.once("close", () => {
      busy--;
      if (!response.writableFinished) left++;
    });
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer); // no encoding was set
    const { method = "", url = "", headers, rawHeaders } = request;
    const summary = { method, url, headers, rawHeaders, body: Buffer.concat(pieces).toString() };
    seen.push(summary);
    const first = url.split(/[/?]/)[1] ?? "";
    if (first === "wait") await pause(upstream.waitMs);
    const act = behaviours[first];
    if (act === undefined) response.writeHead(200, json).end(JSON.stringify(summary));
    else await act(response, upstream);
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const upstream: Upstream = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // it listens on a port
    seen,
    get busiest() {
      return busiest;
    },
    get left() {
      return left;
    },
    status: 500,
    waitMs: 50,
    forget: () => {
      seen.length = 0;
      [busiest, left] = [busy, 0];
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return upstream;
};
