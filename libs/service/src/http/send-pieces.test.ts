import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterEach, describe, expect, it } from "@jest/globals";
import { JsonText } from "./json-text.ts";
import { sendPieces } from "./send-pieces.ts";

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** A server that answers every request so. */
const serve = async (answer: (response: ServerResponse) => void): Promise<number> => {
  const server = createServer((_request, response) => answer(response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  closers.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port; // it listens on a port
};

describe("an answer in pieces", () => {
  it("arrives whole, whatever its characters and the lengths of its pieces are", async () => {
    const pieces = ["[", `"${"a𝄞ü".repeat(70_000)}"`, ",", "1", `,"${"𝄞".repeat(100_001)}"`, "]"];
    let released = 0;
    const port = await serve((response) => sendPieces(response, new JsonText(pieces, () => void released++)));
    const answer = await fetch(`http://127.0.0.1:${port}`);
    expect((await answer.text()) === pieces.join("")).toBe(true);
    expect(released).toBe(1);
  });

  it("waits for its reader, and is given up and released when the reader takes nothing", async () => {
    let written = 0;
    const released = Promise.withResolvers<void>();
    const port = await serve((response) => {
      const write = response.write.bind(response) as (bytes: Buffer) => boolean;
      response.write = (bytes: Buffer) => {
        written += bytes.length;
        return write(bytes);
      };
      const text = new JsonText(["x".repeat(50_000_000)], () => released.resolve());
      sendPieces(response, text, { stallMs: 300, totalMs: 60_000 });
    });
    const socket = connect(port, "127.0.0.1").pause();
    closers.push(() => socket.destroy());
    socket.on("error", () => undefined);
    const began = performance.now();
    socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    await released.promise;
    expect(performance.now() - began).toBeGreaterThanOrEqual(290);
    // The rest was never encoded: the system's buffers hold some megabytes.
    expect(written).toBeLessThan(25_000_000);
  });

  it("that is read, but too slowly for the whole, is given up too", async () => {
    const released = Promise.withResolvers<void>();
    const port = await serve((response) => {
      const text = new JsonText(["x".repeat(50_000_000)], () => released.resolve());
      sendPieces(response, text, { stallMs: 5_000, totalMs: 400 });
    });
    const socket = connect(port, "127.0.0.1").pause();
    closers.push(() => socket.destroy());
    socket.on("error", () => undefined);
    const reading = setInterval(() => socket.read(1_000), 20);
    closers.push(() => clearInterval(reading));
    const began = performance.now();
    socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    await released.promise;
    expect(performance.now() - began).toBeLessThan(3_000);
  });
});
