import { describe, expect, it } from "@jest/globals";
import { randomUUID } from "node:crypto";
import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { recover, seenLimits, transports } from "./both-transports.ts";
import { account, evaluation, gateway, key, upstream, useGateway } from "./gateway-under-test.ts";

useGateway();

describe.each(transports)("a service that is lost or late: $name", ({ path, read, write, decide }) => {
  it("answered by something in between, whose answer comes in pieces", async () => {
    upstream.answer = (_request, response) => {
      response.removeHeader("X-Request-ID");
      response.writeHead(503).write("blocked ");
      setTimeout(() => response.end("by a firewall"), 50);
    };
    const answers = [await read(), await write(), await decide()];
    expect(answers.map((answer) => answer.status)).toEqual([502, 500, 503]);
    await recover();
  });

  it("breaks an answer off that does not end in time, for the service too", async () => {
    let closed = false;
    upstream.answer = (_request, response) => {
      response.writeHead(200, { "Content-Type": "application/json" }).write("{");
      response.once("close", () => (closed = true));
    };
    await expect(decide()).rejects.toThrow();
    await eventually(() => closed, Boolean, seenLimits);
    await recover();
  });

  it("does not fill the gateway's memory for a caller that reads nothing", async () => {
    let sent = 0;
    upstream.answer = (_request, response) => {
      response.writeHead(200, { "Content-Type": "application/octet-stream" });
      const piece = Buffer.alloc(1024 * 1024);
      const more = (): void => {
        while (sent < 256 && !response.destroyed) {
          sent++;
          if (!response.write(piece)) {
            response.once("drain", more);
            return;
          }
        }
        response.end();
      };
      more();
    };
    const { hostname, port } = new URL(gateway.url);
    const socket = connect(Number(port), hostname)
      .on("error", () => undefined)
      .pause();
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${account}\r\nConnection: close\r\n\r\n`,
    );
    await wait(400);
    socket.destroy();
    expect(sent).toBeGreaterThan(0);
    expect(sent).toBeLessThan(100);
    await recover();
  });

  it("takes a caller that has ended its side of the connection for one that has left", async () => {
    upstream.answer = () => undefined;
    const id = randomUUID();
    const { hostname, port } = new URL(gateway.url);
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    socket.on("error", () => undefined).resume();
    socket.end(
      `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${account}\r\nX-Request-ID: ${id}\r\n\r\n`,
    );
    const logged = () => gateway.logs.find((line) => line["request_id"] === id);
    expect(await eventually(logged, (line) => line !== undefined, seenLimits)).toMatchObject({ status: 499 });
    socket.destroy();
    await recover();
  });
});

describe("a service behind its circuit breaker", () => {
  it("is not held by a body that trickles in: 408 within the limit, and the others go on", async () => {
    upstream.answer = (_request, response) => void response.json({});
    const { hostname, port } = new URL(gateway.url);
    const trickle = async (): Promise<string> => {
      const socket = connect(Number(port), hostname);
      let responseText = "";
      socket.on("data", (chunk) => (responseText += chunk.toString()));
      socket.on("error", () => undefined);
      const ended = new Promise<void>((resolve) => void socket.on("close", () => resolve()));
      socket.write(
        `POST /access/v1/evaluation HTTP/1.1\r\nHost: x\r\nX-SVC-ClientKey: ${key}\r\n` +
          'Content-Type: application/json\r\nContent-Length: 5000\r\n\r\n{"a": 1',
      );
      const drip = setInterval(() => socket.write(" "), 100);
      await Promise.race([ended, wait(10_000, undefined, { ref: false })]);
      clearInterval(drip);
      socket.destroy();
      return responseText;
    };
    const slow = Array.from({ length: 100 }, trickle);
    await wait(300);
    expect((await evaluation()).status).toBe(200);
    for (const answer of await Promise.all(slow)) expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect((await evaluation()).status).toBe(200);
  });
});
