import { describe, expect, it } from "@jest/globals";
import { randomUUID } from "node:crypto";
import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { becomes } from "./becomes.ts";
import {
  account,
  call,
  create,
  evaluation,
  gateway,
  key,
  list,
  normal,
  upstream,
  useGateway,
} from "./gateway-under-test.ts";

useGateway();

/** What the gateway or the service notices itself, a moment after the answer. */
const seenLimits = { withinMs: 3_000, everyMs: 20 };
/** A body that is not read before it is sent on. */
const long = " ".repeat(70_000);
const bearer = () => ({ Authorization: `Bearer ${account}` });

/** A read, a write and a decision by each of the two transports. */
const transports = [
  {
    name: "short calls",
    path: "/configs/v1/projects",
    read: list,
    write: create,
    decide: () => evaluation(),
  },
  {
    name: "streams",
    path: "/audit/v1/logs",
    read: () => call("GET", "/audit/v1/logs", { headers: bearer() }),
    write: () => call("POST", "/configs/v1/projects", { headers: bearer(), body: long }),
    decide: () => evaluation({}, long),
  },
];

/** Lets the circuits close again. */
const recover = async () => {
  upstream.answer = normal;
  upstream.early = undefined;
  for (const { read, write, decide } of transports)
    for (const ask of [read, write, decide]) await becomes(200, ask);
};

describe.each(transports)("a service that is lost or late: $name", ({ path, read, write, decide }) => {
  it("killed half way: 502 for a GET, 500 for a write, 503 for a decision", async () => {
    upstream.answer = (request) => void request.socket.destroy();
    expect((await read()).status).toBe(502);
    expect((await write()).status).toBe(500);
    const decision = await decide();
    expect([decision.status, decision.headers.get("retry-after")]).toEqual([503, "2"]);
    await recover();
  });

  it("loses a connection once: a GET is sent again, nothing else is", async () => {
    const dropFirst = () => {
      upstream.arrived.length = 0;
      upstream.answer = (request) => {
        upstream.answer = normal;
        request.socket.destroy();
      };
    };
    dropFirst();
    expect((await read()).status).toBe(200);
    expect(upstream.arrived.length).toBe(2);
    dropFirst();
    expect((await write()).status).toBe(500);
    expect(upstream.arrived.length).toBe(1);
    dropFirst();
    expect((await decide()).status).toBe(503);
    expect(upstream.arrived.length).toBe(1);
    await recover();
  });

  it("too slow: 504 for a GET, 500 for a write, 503 for a decision", async () => {
    upstream.answer = () => undefined;
    const [late, lost, decision] = await Promise.all([read(), write(), decide()]);
    expect([late.status, lost.status, decision.status]).toEqual([504, 500, 503]);
    expect(late.body).toEqual({ message: "Gateway Timeout" });
    await recover();
  });

  it("answered by something in between: as if lost, never with its status or body", async () => {
    for (const status of [200, 403, 404, 503]) {
      upstream.answer = (_request, response) => {
        response.removeHeader("X-Request-ID");
        response.status(status).end("blocked by a firewall");
      };
      const answers = [await read(), await write(), await decide()];
      expect(answers.map((answer) => answer.status)).toEqual([502, 500, 503]);
      expect(JSON.stringify(answers.map(({ body }) => body))).not.toMatch(/firewall/);
      await recover();
    }
  });

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

  it("never reached: 503 with Retry-After for everything", async () => {
    await upstream.kill();
    for (const answer of [await read(), await write(), await decide()]) {
      expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "2"]);
      expect(answer.body).toEqual({ message: "Service Unavailable" });
    }
    await upstream.revive();
    await recover();
  });

  it("breaks an answer off that it does not complete, and sends no read again for the rest", async () => {
    upstream.answer = (_request, response) => {
      response.writeHead(200, { "Content-Type": "application/json", "Content-Length": "1000", ETag: '"1"' });
      response.write("{", () => response.destroy());
    };
    await expect(read()).rejects.toThrow();
    await expect(decide()).rejects.toThrow();
    await wait(50);
    expect(upstream.arrived.length).toBe(2);
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
  it("opens the circuit: nothing is sent, and later it closes by itself", async () => {
    upstream.answer = (request, response) =>
      request.url.startsWith("/access") ? void request.socket.destroy() : void response.json({});
    for (let i = 0; i < 40; i++) await evaluation();
    upstream.arrived.length = 0;
    for (let i = 0; i < 5; i++) expect((await evaluation()).status).toBe(503);
    expect(upstream.arrived.length).toBeLessThan(5);
    // A line reaches this process a moment after the answer.
    const isSaid = () =>
      gateway.logs.some(({ msg, upstream: to }) => msg === "circuit open" && to === "access");
    await eventually(isSaid, Boolean, seenLimits);
    expect((await list()).status).toBe(200);
    await recover();
    expect((await evaluation()).status).toBe(200);
  });

  it("does not count errors of the caller or of the service's own", async () => {
    // A 503 is one decision past its limit, or the graph away: the service itself is well, and quick to say so.
    for (const status of [400, 404, 422, 500, 503]) {
      upstream.answer = (_request, response) => void response.status(status).json({ message: "x" });
      for (let i = 0; i < 15; i++) expect((await evaluation()).status).toBe(status);
    }
  });

  it("is not held by a body that trickles in: 408 within the limit, and the others go on", async () => {
    upstream.answer = (_request, response) => void response.json({});
    const { hostname, port } = new URL(gateway.url);
    const trickle = async (): Promise<string> => {
      const socket = connect(Number(port), hostname);
      let heard = "";
      socket.on("data", (chunk) => (heard += chunk.toString()));
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
      return heard;
    };
    const slow = Array.from({ length: 100 }, trickle);
    await wait(300);
    expect((await evaluation()).status).toBe(200);
    for (const answer of await Promise.all(slow)) expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect((await evaluation()).status).toBe(200);
  });

  it("notices when the caller leaves", async () => {
    let left: (() => void) | undefined;
    const gone = new Promise<void>((resolve) => (left = resolve));
    const arrived = new Promise<void>((resolve) => {
      upstream.answer = (_request, response) => {
        response.on("close", () => left?.());
        resolve();
      };
    });
    const leaving = new AbortController();
    const asked = fetch(`${gateway.url}/access/v1/evaluation`, {
      method: "POST",
      headers: { "X-SVC-ClientKey": key },
      body: "{}",
      signal: leaving.signal,
    });
    await arrived;
    leaving.abort();
    await expect(asked).rejects.toThrow();
    await gone;
  });
});
