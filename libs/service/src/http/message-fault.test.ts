import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { maxHeaderFields } from "./message-fault.ts";
import { type DrainableServer, drainableServer } from "./server.ts";

let server: DrainableServer;
let port: number;
let handled = 0;

beforeAll(async () => {
  server = drainableServer((request, response) => {
    handled++;
    request.resume().on("end", () => response.end("handled"));
  });
  port = await server.listen(0, "127.0.0.1");
});
afterAll(() => server.drain(0, () => undefined));
beforeEach(() => {
  handled = 0;
});

/** Sends bytes as they are; what is received until the connection ends, or for a moment. */
const ask = async (text: string): Promise<string> => {
  const socket = connect(port, "127.0.0.1", () => socket.write(text));
  let response = "";
  socket.on("data", (piece) => (response += piece.toString())).on("error", () => undefined);
  await Promise.race([once(socket, "close"), wait(400)]);
  socket.destroy();
  return response;
};

const host = "Host: x\r\n";
const get = (headers: string): string => `GET / HTTP/1.1\r\n${headers}\r\n`;
const post = (headers: string, body = "", version = "1.1"): string =>
  `POST / HTTP/${version}\r\n${host}${headers}\r\n${body}`;
const chunked = "0\r\n\r\n";

describe("a message that two servers could read in two ways", () => {
  it.each([
    ["two Host headers", get("Host: x\r\nHost: y\r\n"), "Host: exactly one expected"],
    ["two equal Host headers", get("Host: x\r\nhost: x\r\n"), "Host: exactly one expected"],
    ["a Host with a path", get("Host: x/y\r\n"), "Host: host name with an optional port expected"],
    ["a Host with a user", get("Host: a@b\r\n"), "Host: host name with an optional port expected"],
    ["a list of hosts", get("Host: a, b\r\n"), "Host: host name with an optional port expected"],
    [
      "gzip before chunked",
      post("Transfer-Encoding: gzip, chunked\r\n", chunked),
      "Transfer-Encoding: chunked expected",
    ],
    [
      "codings in two headers",
      post("Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n", chunked),
      "Transfer-Encoding: chunked expected",
    ],
    [
      "a coding that is not chunked",
      post("Transfer-Encoding: identity\r\n", chunked),
      "Transfer-Encoding: chunked expected",
    ],
    [
      "a coding of HTTP/1.0",
      post("Transfer-Encoding: chunked\r\n", chunked, "1.0"),
      "Transfer-Encoding: not defined for HTTP/1.0",
    ],
  ])("is refused with the reason: %s", async (_name, text, detail) => {
    const response = await ask(text);
    expect(response).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/);
    expect(response.slice(response.indexOf("{"))).toBe(
      JSON.stringify({ message: "Bad Request", errors: [detail] }),
    );
    expect(handled).toBe(0);
  });

  it.each([
    ["two lengths", post("Content-Length: 1\r\nContent-Length: 1\r\n", "a")],
    ["a list of lengths", post("Content-Length: 1, 1\r\n", "a")],
    ["a length with a sign", post("Content-Length: +1\r\n", "a")],
    ["a length and a coding", post("Content-Length: 1\r\nTransfer-Encoding: chunked\r\n", chunked)],
    ["chunked twice", post("Transfer-Encoding: chunked, chunked\r\n", chunked)],
    ["a folded header", get(`${host}X: a\r\n b\r\n`)],
    ["lines without a return", "GET / HTTP/1.1\nHost: x\n\n"],
    ["a blank before the colon", get("Host : x\r\n")],
    ["a zero byte", get(`${host}X: a\0b\r\n`)],
    ["the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
  ])("is refused by the parser: %s", async (_name, text) => {
    expect(await ask(text)).toMatch(/^HTTP\/1.1 400 Bad Request\r\n[^]*\{"message":"Bad Request"\}$/);
    expect(handled).toBe(0);
  });

  it.each(["2.0", "0.9"])("is refused when it says HTTP/%s", async (version) => {
    expect(await ask(`GET / HTTP/${version}\r\n${host}\r\n`)).toMatch(/^HTTP\/1.1 505 /);
    expect(handled).toBe(0);
  });

  it("ends its connection: nothing after it is handled", async () => {
    const response = await ask(get("Host: x\r\nHost: y\r\n") + get(host) + get(host));
    expect(response.match(/HTTP\/1.1/g)).toHaveLength(1);
    expect(handled).toBe(0);
  });
});

describe("a message of the usual form", () => {
  it.each([
    ["a name", get("Host: ikg.example.com\r\n")],
    ["a port", get("Host: ikg.example.com:8080\r\n")],
    ["an IPv6 address", get("Host: [::1]:8080\r\n")],
    ["no name", get("Host:\r\n")],
    ["HTTP/1.0", "GET / HTTP/1.0\r\n\r\n"],
    ["chunks", post("Transfer-Encoding: Chunked\r\n", `1\r\na\r\n${chunked}`)],
    ["an upgrade, which is not taken", get(`${host}Connection: Upgrade\r\nUpgrade: websocket\r\n`)],
  ])("is handled: %s", async (_name, text) => {
    expect(await ask(text)).toMatch(/^HTTP\/1.1 200 /);
    expect(handled).toBe(1);
  });

  it(`has at most ${maxHeaderFields} header fields`, async () => {
    const fields = (count: number): string =>
      Array.from({ length: count }, (_, at) => `a${at}:\r\n`).join("");
    expect(await ask(get(host + fields(maxHeaderFields - 1)))).toMatch(/^HTTP\/1.1 200 /);
    const one = await ask(get(host + fields(maxHeaderFields)));
    expect(one).toMatch(/^HTTP\/1.1 431 [^]*"errors":\["headers: at most 100"\]\}$/);
    expect(await ask(get(host + fields(1_000)))).toMatch(/^HTTP\/1.1 431 /);
    expect(handled).toBe(1);
  });

  it("has a target of at most what headers may hold", async () => {
    expect(await ask(`GET /${"x".repeat(17_000)} HTTP/1.1\r\n${host}\r\n`)).toMatch(/^HTTP\/1.1 431 /);
    expect(handled).toBe(0);
  });
});
