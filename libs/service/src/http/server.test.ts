import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { exemptFromRequestTimeout, markAuthenticated } from "./request-timeouts.ts";
import { type DrainableServer, drainableServer } from "./server.ts";

let server: DrainableServer;
let port: number;

beforeAll(async () => {
  server = drainableServer(
    (request, response) => {
      if (request.url === "/unhurried") exemptFromRequestTimeout(request);
      if (request.url === "/authenticated") markAuthenticated(request);
      if (request.url === "/early") response.end("early");
      else request.resume().on("end", () => response.end("whole"));
    },
    { limits: { headersMs: 200, anonymousMs: 300, requestMs: 600, checkIntervalMs: 50 } },
  );
  port = await server.listen(0, "127.0.0.1");
});
afterAll(() => server.drain(0, () => undefined));

/** Sends a body byte by byte until the connection ends, or the whole is there; what was received. */
const trickle = async (path: string): Promise<{ readonly response: string; readonly whole: boolean }> => {
  const socket = connect(port, "127.0.0.1");
  const closed = once(socket, "close").catch(() => undefined);
  let response = "";
  socket.on("data", (piece) => (response += piece.toString())).on("error", () => undefined);
  socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 20\r\n\r\n`);
  let sent = 0;
  for (; sent < 20 && !socket.destroyed && socket.writable; sent++) {
    socket.write("x");
    await Promise.race([wait(50), closed]);
  }
  await wait(50);
  socket.destroy();
  return { response, whole: sent === 20 };
};

describe("a request that trickles in", () => {
  it("is given up after a time", async () => {
    const { response, whole } = await trickle("/");
    expect([response.split("\r\n")[0], whole]).toEqual(["HTTP/1.1 408 Request Timeout", false]);
  });

  it("is given up although it has its answer", async () => {
    const { response, whole } = await trickle("/early");
    expect([response.includes("early"), whole]).toEqual([true, false]);
  });

  it("may take longer with an accepted credential, and not for ever", async () => {
    const began = performance.now();
    const { response, whole } = await trickle("/authenticated");
    expect([response.split("\r\n")[0], whole]).toEqual(["HTTP/1.1 408 Request Timeout", false]);
    expect(performance.now() - began).toBeGreaterThan(600);
  });

  it("may take its time where a route says so", async () => {
    const { response, whole } = await trickle("/unhurried");
    expect([response.includes("whole"), whole]).toEqual([true, true]);
  });
});

describe("a server that is about to stop", () => {
  it("answers on, and ends each connection with its answer", async () => {
    const retiring = drainableServer((_request, response) => response.end("answer"));
    const at = `http://127.0.0.1:${await retiring.listen(0, "127.0.0.1")}`;
    const before = await fetch(at);
    retiring.retire();
    const after = await fetch(at);
    expect([before.headers.get("connection"), await before.text()]).toEqual(["keep-alive", "answer"]);
    expect([after.headers.get("connection"), await after.text()]).toEqual(["close", "answer"]);
    await retiring.drain(0, () => undefined);
  });
});

describe("what Node would answer by itself", () => {
  const answerTo = async (text: string): Promise<string> => {
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    let response = "";
    socket.on("data", (piece) => (response += piece.toString())).on("error", () => undefined);
    await Promise.race([once(socket, "close"), wait(5_000)]);
    return response;
  };

  it.each([
    ["no Host", "GET / HTTP/1.1\r\n\r\n", "400 Bad Request"],
    ["no HTTP", "nonsense\r\n\r\n", "400 Bad Request"],
    ["an expectation", "GET / HTTP/1.1\r\nHost: x\r\nExpect: more\r\n\r\n", "417 Expectation Failed"],
    ["a long header", `GET / HTTP/1.1\r\nHost: x\r\nX: ${"x".repeat(20_000)}\r\n\r\n`, "431"],
  ])("has an envelope: %s", async (_name, text, status) => {
    const response = await answerTo(text);
    expect(response).toContain(`HTTP/1.1 ${status}`);
    expect(response).toMatch(/\{"message":"[A-Z][^"]+"(?:,"errors":\["[^"]+"\])?\}$/);
  });
});

describe("a connection without a whole request", () => {
  it.each([
    ["says nothing", ""],
    ["sends headers bit by bit", "GET / HTTP/1.1\r\nHost: x\r\n"],
  ])("ends after a short time when it %s", async (_name, text) => {
    const began = performance.now();
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    const closed = once(socket, "close");
    let response = "";
    socket.on("data", (piece) => (response += piece.toString())).on("error", () => undefined);
    const drip = setInterval(() => text === "" || socket.write("X"), 40);
    await closed;
    clearInterval(drip);
    expect(performance.now() - began).toBeLessThan(1_500);
    expect(response.split("\r\n")[0]).toBe(text === "" ? "" : "HTTP/1.1 408 Request Timeout");
  });
});
