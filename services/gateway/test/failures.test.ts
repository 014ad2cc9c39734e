import { describe, expect, it } from "@jest/globals";
import { setTimeout as wait } from "node:timers/promises";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { isLongRun } from "../../../stack/src/testing/test-environment.ts";
import { recover, seenLimits, transports } from "./both-transports.ts";
import { evaluation, gateway, key, list, normal, upstream, useGateway } from "./gateway-under-test.ts";

useGateway();

describe.each(transports)("a service that is lost or late: $name", ({ read, write, decide }) => {
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
    for (const status of isLongRun() ? [200, 403, 404, 503] : [200, 403]) {
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
    const isLogged = () =>
      gateway.logs.some(({ msg, upstream: to }) => msg === "circuit open" && to === "access");
    await eventually(isLogged, Boolean, seenLimits);
    expect((await list()).status).toBe(200);
    await recover();
    expect((await evaluation()).status).toBe(200);
  });

  it("does not count errors of the caller or of the service's own", async () => {
    // A 503 is one decision past its limit, or the graph unavailable: the service itself is well, and quick to say so.
    for (const status of isLongRun() ? [400, 404, 422, 500, 503] : [404, 500, 503]) {
      upstream.answer = (_request, response) => void response.status(status).json({ message: "x" });
      for (let i = 0; i < 15; i++) expect((await evaluation()).status).toBe(status);
    }
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
    const call = fetch(`${gateway.url}/access/v1/evaluation`, {
      method: "POST",
      headers: { "X-SVC-ClientKey": key },
      body: "{}",
      signal: leaving.signal,
    });
    await arrived;
    leaving.abort();
    await expect(call).rejects.toThrow();
    await gone;
  });
});
