import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { afterEach, expect, it } from "@jest/globals";
import type { Driver } from "neo4j-driver";
import { openGuardedDriver } from "./guarded-driver.ts";

const drivers: Driver[] = [];
const servers: Server[] = [];
afterEach(async () => {
  await Promise.all(drivers.splice(0).map((driver) => driver.close().catch(() => undefined)));
  for (const server of servers.splice(0)) server.close();
});

/** A driver of a server that is not Neo4j. */
const driverOf = async (onConnection: (socket: Socket) => void): Promise<Driver> => {
  const server = createServer((socket) => onConnection(socket.on("error", () => undefined)));
  servers.push(server);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo; // of TCP
  const settings = { uri: `bolt://127.0.0.1:${port}`, username: "neo4j", password: "secret", poolSize: 1 };
  const driver = openGuardedDriver(settings, (host) => Promise.resolve(host));
  drivers.push(driver);
  return driver;
};

const ask = async (driver: Driver): Promise<unknown> => driver.session().run("RETURN 1");

it("refuses a handshake that offers very many versions, which would block the process", async () => {
  const ranges = 3_000;
  const handshake = Buffer.concat([
    Buffer.from([0, 0, 1, 255, 128 + (ranges % 128), Math.floor(ranges / 128)]),
    ...Array.from({ length: ranges }, () => Buffer.from([0, 255, 255, 7])),
    Buffer.from([0]),
  ]);
  const driver = await driverOf((socket) => void socket.write(handshake));
  const since = performance.now();
  await expect(ask(driver)).rejects.toThrow("the handshake offers too many versions");
  expect(performance.now() - since).toBeLessThan(1_000);
});

it("ends a connection whose login is answered without an end", async () => {
  const chunk = Buffer.concat([Buffer.from([255, 255]), Buffer.alloc(65_535)]);
  const ended = Promise.withResolvers<void>();
  const driver = await driverOf((socket) => {
    socket.once("close", () => ended.resolve());
    // Version 5.8 of Bolt; the next message is the login.
    socket.once("data", () => {
      socket.write(Buffer.from([0, 0, 8, 5]));
      socket.once("data", () => {
        for (let sent = 0; sent < 16; sent++) socket.write(chunk);
      });
    });
  });
  await expect(ask(driver)).rejects.toThrow("more was answered than may be read");
  await ended.promise;
});
