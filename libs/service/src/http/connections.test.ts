import { once } from "node:events";
import { type IncomingMessage, Server, type ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, describe, expect, it } from "@jest/globals";
import { eventually } from "../../../../stack/src/testing/eventually.ts";
import { markAuthenticated } from "./request-timeouts.ts";
import { type DrainableServer, drainableServer } from "./server.ts";
import type { ServerLimits } from "./server-limits.ts";

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const open: DrainableServer[] = [];
const sockets: Socket[] = [];
let refused: string[] = [];

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await Promise.all(open.splice(0).map((server) => server.drain(0, () => undefined)));
  refused = [];
});

const serve = async (handler: Handler, limits: Partial<ServerLimits>): Promise<number> => {
  const server = drainableServer(handler, { limits, onRefused: (limit) => void refused.push(limit) });
  open.push(server);
  return server.listen(0, "127.0.0.1");
};

interface Client {
  readonly socket: Socket;
  responseText: string;
}

const client = async (port: number, text = "", from = "127.0.0.1"): Promise<Client> => {
  const socket = connect({ port, host: "127.0.0.1", localAddress: from });
  sockets.push(socket);
  const made = { socket, responseText: "" };
  socket.on("data", (piece) => (made.responseText += piece.toString())).on("error", () => undefined);
  await once(socket, "connect");
  socket.write(text);
  return made;
};

const until = (holds: () => boolean): Promise<boolean> =>
  eventually(holds, Boolean, { withinMs: 5_000, everyMs: 10 });

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
const answers = ({ responseText }: Client): string[] => responseText.match(/HTTP\/1\.1 \d+|\/\d+;/g) ?? [];

describe("pipelined requests of one connection", () => {
  it("run one after the other, and are answered in their order", async () => {
    let running = 0;
    let most = 0;
    const port = await serve((request, response) => {
      most = Math.max(most, ++running);
      setTimeout(() => {
        running--;
        response.end(`${request.url};`);
      }, 5);
    }, {});
    const paths = Array.from({ length: 40 }, (_, at) => `/${at}`);
    const one = await client(port, paths.map(get).join(""));
    await until(() => one.responseText.includes("/39;"));
    expect(answers(one)).toEqual(paths.flatMap((path) => ["HTTP/1.1 200", `${path};`]));
    expect(most).toBe(1);
  });

  it("wait up to a number; those beyond it get 429 in their turn", async () => {
    let finish: () => void = () => undefined;
    const port = await serve(
      (request, response) => {
        if (request.url === "/0") finish = () => response.end("/0;");
        else response.end(`${request.url};`);
      },
      { pipelined: 2 },
    );
    const one = await client(port, Array.from({ length: 6 }, (_, at) => get(`/${at}`)).join(""));
    await wait(100);
    expect(one.responseText).toBe("");
    finish();
    await until(() => answers(one).length === 9);
    const ok = "HTTP/1.1 200";
    const no = "HTTP/1.1 429";
    expect(answers(one)).toEqual([ok, "/0;", ok, "/1;", ok, "/2;", no, no, no]);
    expect(one.responseText).toContain(
      '{"message":"Too Many Requests","errors":["pipelined requests: at most 2 wait',
    );
    expect(one.responseText).toContain("Retry-After: 1\r\n");
    expect(refused).toEqual(["pipelined requests", "pipelined requests", "pipelined requests"]);
    one.socket.write(get("/7"));
    await until(() => one.responseText.endsWith("/7;"));
  });

  it("are forgotten when their caller leaves", async () => {
    const begun: string[] = [];
    const ended: string[] = [];
    const port = await serve((request, response) => {
      begun.push(request.url ?? "");
      response.once("close", () => ended.push(request.url ?? ""));
    }, {});
    const one = await client(port, [get("/0"), get("/1"), get("/2")].join(""));
    await until(() => begun.length === 1);
    one.socket.destroy();
    await until(() => ended.length === 1);
    await wait(50);
    expect([begun, ended]).toEqual([["/0"], ["/0"]]);
  });

  it("are answered before what comes after them is refused", async () => {
    const port = await serve((request, response) => {
      setTimeout(() => response.end(`${request.url};`), 50);
    }, {});
    const one = await client(port, `${get("/0")}${get("/1")}nonsense\r\n\r\n`);
    await once(one.socket, "close");
    expect(answers(one)).toEqual(["HTTP/1.1 200", "/0;", "HTTP/1.1 200", "/1;", "HTTP/1.1 400"]);
  });

  it("end where an answer was the last of the connection", async () => {
    const begun: string[] = [];
    const port = await serve((request, response) => {
      begun.push(request.url ?? "");
      response.writeHead(200, { Connection: "close" }).end(`${request.url};`);
    }, {});
    const one = await client(port, [get("/0"), get("/1")].join(""));
    await once(one.socket, "close");
    expect([begun, answers(one)]).toEqual([["/0"], ["HTTP/1.1 200", "/0;"]]);
  });
});

describe("a body whose framing breaks after the answer", () => {
  it("ends the connection without an answer that belongs to no request", async () => {
    const port = await serve((_request, response) => response.end("early"), {});
    const one = await client(
      port,
      "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
    );
    await until(() => one.responseText.includes("early"));
    one.socket.write("no chunk at all\r\n");
    await once(one.socket, "close");
    expect(answers(one)).toEqual(["HTTP/1.1 200"]);
  });
});

describe("connections at one time", () => {
  const hold: Handler = (request, response) => {
    if (request.url === "/in") markAuthenticated(request);
    if (request.url !== "/held") response.end("done");
  };

  it("are limited: a new one takes the place of an idle one that never had a credential", async () => {
    const port = await serve(hold, { connections: { total: 3, perAddress: Infinity } });
    const kept = await client(port, get("/held"));
    const held = await client(port, get("/held"));
    const idle = await client(port, get("/"));
    await until(() => idle.responseText.includes("done"));
    const late = await client(port, get("/held"));
    await once(idle.socket, "close");
    await wait(50);
    expect([kept, held, late].map(({ socket }) => socket.closed)).toEqual([false, false, false]);
    const over = await client(port);
    await once(over.socket, "close");
    expect(over.responseText).toMatch(
      /^HTTP\/1.1 503 [^]*Retry-After: 1\r\n[^]*"errors":\["connections: the process has reached MAX_CONNECTIONS"/,
    );
    expect(refused).toEqual(["connections"]);
    held.socket.destroy();
    await wait(50);
    const next = await client(port, get("/"));
    await until(() => next.responseText.includes("done"));
  });

  it("that carried a credential are kept, but of an address with more than an eighth of all", async () => {
    const port = await serve(hold, { connections: { total: 8, perAddress: Infinity } });
    const few = await client(port, get("/in"), "127.0.0.2");
    const many: Client[] = [];
    for (let at = 0; at < 7; at++) many.push(await client(port, get("/in")));
    await until(() => [few, ...many].every(({ responseText }) => responseText.includes("done")));
    const late = await client(port, get("/held"), "127.0.0.3");
    await until(() => many[0]?.socket.closed === true);
    const closed = [few, ...many.slice(1), late].filter(({ socket }) => socket.closed);
    expect(closed).toEqual([]);
    // Those with a request under way are not closed, so that nothing of the many is left.
    for (const { socket } of many.slice(1)) socket.write(get("/held"));
    await wait(50);
    const over = await client(port, "", "127.0.0.4");
    await once(over.socket, "close");
    expect(over.responseText).toMatch(/^HTTP\/1.1 503 /);
    expect(few.socket.closed).toBe(false);
  });

  it("are limited per address, and one address does not cost another its own", async () => {
    const port = await serve(hold, { connections: { total: 100, perAddress: 2 } });
    const held = [await client(port, get("/held")), await client(port, get("/held"))];
    await wait(50);
    const over = await client(port);
    await once(over.socket, "close");
    expect(over.responseText).toContain(
      '"errors":["connections: the client address has reached MAX_CONNECTIONS_PER_ADDRESS',
    );
    const other = await client(port, get("/"), "127.0.0.2");
    await until(() => other.responseText.includes("done"));
    expect(held.map(({ socket }) => socket.closed)).toEqual([false, false]);
  });

  it("are not limited for an address that many clients share", async () => {
    const isShared = (address: string): boolean => address.endsWith("127.0.0.1");
    const port = await serve(hold, { connections: { total: 100, perAddress: 1, isShared } });
    const [first, second] = [await client(port, get("/held")), await client(port, get("/"))];
    await until(() => second.responseText.includes("done"));
    expect(first.socket.closed).toBe(false);
  });
});

describe("a connection that the system cannot accept", () => {
  it("is counted, and ends no other", async () => {
    let server: unknown;
    const port = await serve(({ socket, url }, response) => {
      server = Reflect.get(socket, "server");
      response.end(`${url};`);
    }, {});
    const first = await client(port, get("/1"));
    await until(() => answers(first).length === 2);
    if (!(server instanceof Server)) throw new Error("the socket does not name its server");
    for (let times = 0; times < 2; times++) server.emit("error", new Error("accept EMFILE"));
    expect(refused).toEqual(["connections", "connections"]);
    first.socket.write(get("/2"));
    await until(() => answers(first).length === 4);
  });
});
