import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { afterEach, expect, it } from "@jest/globals";
import type { Driver } from "neo4j-driver";
import { FirstPlans } from "../statements/first-plans.ts";
import { runWrite } from "../statements/write.ts";
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

/** Sends a long message without its end. */
const flood = (socket: Socket): void => {
  const chunk = Buffer.concat([Buffer.from([255, 255]), Buffer.alloc(65_535)]);
  for (let sent = 0; sent < 16; sent++) socket.write(chunk);
};

/** Offers version 5.8 of Bolt, in which each message has one chunk here. @param onMessage called with the signature of each */
const speakBolt = (socket: Socket, onMessage: (signature: number) => void): void => {
  socket.once("data", () => {
    socket.write(Buffer.from([0, 0, 8, 5]));
    socket.on("data", (bytes: Buffer) => {
      for (let at = 0; at + 3 < bytes.length; at += bytes.readUInt16BE(at) + 4)
        onMessage(bytes.readUInt8(at + 3));
    });
  });
};

it("ends a connection whose login is answered without an end", async () => {
  const ended = Promise.withResolvers<void>();
  const driver = await driverOf((socket) => {
    socket.once("close", () => ended.resolve());
    speakBolt(socket, () => flood(socket));
  });
  await expect(ask(driver)).rejects.toThrow("the response of the Neo4j server exceeds the byte limit");
  await ended.promise;
});

it("ends a connection whose commit is answered without an end", async () => {
  const commit = 0x12;
  const success = Buffer.from([0, 3, 0xb1, 0x70, 0xa0, 0, 0]);
  const ended = Promise.withResolvers<void>();
  const driver = await driverOf((socket) => {
    socket.once("close", () => ended.resolve());
    speakBolt(socket, (signature) => {
      if (signature === commit) flood(socket);
      else socket.write(success);
    });
  });
  const target = {
    driver,
    database: "neo4j",
    part: "",
    clustered: false,
    answerBytes: 10_000_000,
    prefix: "",
    firstPlans: new FirstPlans(),
    observe: () => undefined,
  };
  const written = runWrite(target, () => Promise.resolve(), { timeoutMs: 60_000 });
  await expect(written).rejects.toMatchObject({ code: "commit_unknown" });
  await ended.promise;
});
