import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, describe, expect, it } from "@jest/globals";
import { dropSlowReader } from "./slow-reader.ts";

const timeoutMs = 200;
const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** A stream that gets a little all the time, and its end. */
const stream = async (read: (socket: Socket) => void) => {
  const server = createServer((_request, response) => {
    dropSlowReader(response, { checkIntervalMs: 20, timeoutMs });
    const news = setInterval(() => response.write("x".repeat(1_000_000)), 5);
    response.once("close", () => clearInterval(news));
    closed = once(response, "close");
  });
  let closed: Promise<unknown> | undefined;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1"); // of a server that listens
  socket.on("error", () => undefined);
  socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  read(socket);
  closers.push(
    () => socket.destroy(),
    () => server.close(),
  );
  await once(server, "request");
  return closed;
};

describe("a stream", () => {
  it("whose reader takes nothing is broken off", async () => {
    const began = performance.now();
    await stream((socket) => socket.pause());
    expect(performance.now() - began).toBeGreaterThanOrEqual(timeoutMs);
  }, 10_000);

  it("that is read goes on", async () => {
    let over = false;
    void stream((socket) => socket.resume()).then(() => (over = true));
    await pause(5 * timeoutMs);
    expect(over).toBe(false);
  }, 10_000);
});
