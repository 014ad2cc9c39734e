import { createServer, connect, type Server } from "node:net";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { batchWrites } from "./write-batching.ts";

let server: Server;
let port: number;

beforeAll(async () => {
  server = createServer((socket) => socket.pipe(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  ({ port } = address);
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

it("what is written in one turn leaves in one piece and in order, also across promises, and the end comes last", async () => {
  const socket = connect(port, "127.0.0.1");
  await new Promise((resolve) => socket.once("connect", resolve));
  batchWrites(socket);
  const pieces: number[] = [];
  const send = Reflect.get(socket, "_writeGeneric") as (...given: unknown[]) => void; // every write of Node's sockets
  Object.assign(socket, {
    _writeGeneric: (writev: boolean, data: unknown, ...more: unknown[]) => {
      pieces.push(writev && Array.isArray(data) ? data.length : 1);
      send.call(socket, writev, data, ...more);
    },
  });
  let echoed = "";
  socket.setEncoding("utf8").on("data", (text: string) => (echoed += text));
  socket.write("BEGIN ");
  await Promise.resolve();
  socket.write("RUN ");
  socket.write("PULL ");
  await new Promise((resolve) => setImmediate(resolve));
  expect(pieces).toEqual([3]);
  socket.write("COMMIT ");
  socket.end("GOODBYE");
  await new Promise((resolve) => socket.once("close", resolve));
  expect(echoed).toBe("BEGIN RUN PULL COMMIT GOODBYE");
});
