import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, describe, expect, it } from "@jest/globals";
import { eventually } from "../../../../stack/src/testing/eventually.ts";
import {
  answer,
  type Behaviour,
  closeServers,
  hang,
  refuse,
  reset,
  TestServer,
  truncate,
} from "../../test/server.ts";
import { IkgError } from "../errors/ikg-error.ts";
import type { IkgUnreachable } from "../errors/ikg-unreachable.ts";
import { connectionOf } from "./options.ts";
import type { HttpRequest } from "./request.ts";
import { Transport } from "./transport.ts";

afterEach(closeServers);

const ok = answer(200, { fine: true });

const read: HttpRequest = { method: "POST", path: "/read", json: { question: 1 }, idempotent: true };
const write: HttpRequest = { ...read, path: "/write", idempotent: false };

const transportTo = ({ baseUrl }: TestServer, timeoutMs = 10_000): Transport =>
  new Transport(connectionOf({ baseUrl, timeoutMs }), { "x-svc-clientkey": "k" });

const failureOf = async (promise: Promise<unknown>): Promise<unknown> => {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error("it did not fail");
};

describe("an idempotent call", () => {
  const passing: readonly (readonly [string, Behaviour])[] = [
    ["429", refuse(429, "Too Many Requests")],
    ["502", refuse(502, "Bad Gateway")],
    ["503", refuse(503, "Service Unavailable")],
    ["504", refuse(504, "Gateway Timeout")],
    ["a page of a proxy with 503", answer(503, "<h1>busy</h1>", { "Content-Type": "text/html" })],
    ["a reset after the request was sent", reset],
    ["a response that breaks off", truncate],
  ];

  it("is repeated after an error that may pass", async () => {
    const outcomes = passing.map(async ([title, behaviour]) => {
      const server = await TestServer.start(behaviour, behaviour, ok);
      const { body } = await transportTo(server).send(read);
      return [title, body, server.received.map(({ text }) => text)];
    });
    const sent = Array(3).fill('{"question":1}');
    expect(await Promise.all(outcomes)).toEqual(passing.map(([title]) => [title, { fine: true }, sent]));
  });

  it("is repeated after a connection that was closed before the request was sent", async () => {
    const server = await TestServer.start(ok);
    server.refusedConnections = 2;
    expect((await transportTo(server).send(read)).body).toEqual({ fine: true });
    expect(server.received).toHaveLength(1);
  });

  it("waits as long as Retry-After says", async () => {
    const server = await TestServer.start(refuse(503, "Service Unavailable", { "Retry-After": "1" }), ok);
    const before = performance.now();
    await transportTo(server).send(read);
    expect(performance.now() - before).toBeGreaterThan(1_000);
  });

  it("takes a date in Retry-After", async () => {
    const soon = new Date(Date.now() + 20_000).toUTCString();
    const server = await TestServer.start(refuse(503, "Service Unavailable", { "Retry-After": soon }));
    const error = (await failureOf(transportTo(server, 2_000).send(read))) as IkgError;
    expect(error.retryAfter).toBeGreaterThan(15);
  });

  it("fails at once where Retry-After is beyond its deadline", async () => {
    const server = await TestServer.start(refuse(429, "Too Many Requests", { "Retry-After": "60" }));
    const before = performance.now();
    const error = (await failureOf(transportTo(server, 5_000).send(read))) as IkgError;
    expect(error).toBeInstanceOf(IkgError);
    expect([error.code, error.status, error.retryAfter]).toEqual(["too_many_requests", 429, 60]);
    expect(performance.now() - before).toBeLessThan(2_000);
    expect(server.received).toHaveLength(1);
  });

  it("is repeated until its deadline, and fails with the last error", async () => {
    const server = await TestServer.start(refuse(503, "Service Unavailable"));
    const before = performance.now();
    const error = (await failureOf(transportTo(server, 1_500).send(read))) as IkgError;
    expect([error.code, error.requestId]).toEqual(["unavailable", "r-1"]);
    expect(performance.now() - before).toBeLessThan(2_500);
    expect(server.received.length).toBeGreaterThan(2);
  });

  for (const status of [400, 401, 403, 404, 408, 409, 412, 413, 422, 428, 500])
    it(`is not repeated after ${status}`, async () => {
      const server = await TestServer.start(refuse(status, "no"), ok);
      const error = (await failureOf(transportTo(server).send(read))) as IkgError;
      expect(error.status).toBe(status);
      expect(server.received).toHaveLength(1);
    });

  for (const text of ["<html>", "", "null", "true", '"text"'])
    it(`is not repeated after a response that is no JSON object: ${text}`, async () => {
      const server = await TestServer.start(answer(200, text), ok);
      const error = (await failureOf(transportTo(server).send(read))) as IkgUnreachable;
      expect([error.name, error.reason]).toEqual(["IkgUnreachable", "invalid_response"]);
      expect(server.received).toHaveLength(1);
    });
});

describe("a call that is not idempotent", () => {
  const failures: readonly (readonly [string, Behaviour, string])[] = [
    ["429", refuse(429, "Too Many Requests", { "Retry-After": "0" }), "IkgError"],
    ["502", refuse(502, "Bad Gateway"), "IkgError"],
    ["503", refuse(503, "Service Unavailable", { "Retry-After": "0" }), "IkgError"],
    ["504", refuse(504, "Gateway Timeout"), "IkgError"],
    ["a reset", reset, "IkgUnreachable"],
    ["a response that breaks off", truncate, "IkgUnreachable"],
  ];

  it("is sent once, also after an error that may pass", async () => {
    const outcomes = failures.map(async ([title, behaviour]) => {
      const server = await TestServer.start(behaviour, ok);
      const error = (await failureOf(transportTo(server).send(write))) as Error;
      await delay(300);
      return [title, error.name, server.received.length];
    });
    expect(await Promise.all(outcomes)).toEqual(failures.map(([title, , name]) => [title, name, 1]));
  });

  it("is sent once, also after a connection that was closed before", async () => {
    const server = await TestServer.start(ok);
    server.refusedConnections = 1;
    const error = (await failureOf(transportTo(server).send(write))) as IkgUnreachable;
    await delay(300);
    expect(error.reason).toBe("connection");
    expect(server.received).toHaveLength(0);
  });
});

describe("a call that is not idempotent, of a client that repeats what was not executed", () => {
  const patient = ({ baseUrl }: TestServer): Transport =>
    new Transport(connectionOf({ baseUrl, repeatUnexecuted: true }), {});

  for (const status of [429, 503])
    it(`is repeated after ${status} that says when, which is answered before anything is executed`, async () => {
      const refused = refuse(status, "later", { "Retry-After": "0" });
      const server = await TestServer.start(refused, refused, ok);
      expect((await patient(server).send(write)).body).toEqual({ fine: true });
      expect(server.received).toHaveLength(3);
    });

  const unknown: readonly (readonly [string, Behaviour])[] = [
    ["502", refuse(502, "Bad Gateway")],
    ["503 without Retry-After, as a proxy answers", refuse(503, "upstream connect error")],
    ["504", refuse(504, "Gateway Timeout")],
    ["a reset", reset],
    ["a response that breaks off", truncate],
  ];

  it("is sent once where it may have been executed before an error", async () => {
    const outcomes = unknown.map(async ([title, behaviour]) => {
      const server = await TestServer.start(behaviour, ok);
      await failureOf(patient(server).send(write));
      await delay(300);
      return [title, server.received.length];
    });
    expect(await Promise.all(outcomes)).toEqual(unknown.map(([title]) => [title, 1]));
  });
});

describe("a redirect", () => {
  it("is never followed", async () => {
    const other = await TestServer.start(ok);
    for (const status of [301, 302, 303, 307, 308]) {
      const server = await TestServer.start(refuse(status, "there", { Location: other.baseUrl }));
      const error = (await failureOf(transportTo(server).send(read))) as IkgUnreachable;
      expect(error.reason).toBe("invalid_response");
    }
    expect(other.received).toHaveLength(0);
  });
});

describe("a deadline", () => {
  it("ends a call without a response, and frees its socket", async () => {
    const server = await TestServer.start(hang);
    const before = performance.now();
    const error = (await failureOf(transportTo(server, 200).send(read))) as IkgUnreachable;
    expect([error.reason, error.message]).toEqual(["timeout", "no response within 200 ms"]);
    expect(performance.now() - before).toBeLessThan(1_500);
    // The server hears of it a little later.
    await eventually(
      () => server.sockets.size,
      (count) => count === 0,
      { withinMs: 5_000, everyMs: 10 },
    );
  });

  it("ends a response that does not come to its end", async () => {
    const begun: Behaviour = (response) => void response.writeHead(200).write('{"deci');
    const server = await TestServer.start(begun);
    const error = (await failureOf(transportTo(server, 200).send(read))) as IkgUnreachable;
    expect(error.reason).toBe("timeout");
  });

  it("is a positive number: a time that is none ends no call, and is refused", async () => {
    const server = await TestServer.start(refuse(503, "Service Unavailable"));
    for (const timeoutMs of [Number.NaN, 0, -1]) {
      const error = (await failureOf(transportTo(server).send({ ...read, timeoutMs }))) as Error;
      expect([error.name, error.message]).toEqual([
        "TypeError",
        `timeoutMs: a positive number expected, ${timeoutMs} given`,
      ]);
    }
    expect(server.received).toHaveLength(0);
  });

  it("can be that of one call", async () => {
    const server = await TestServer.start(hang);
    const error = (await failureOf(transportTo(server).send({ ...read, timeoutMs: 100 }))) as Error;
    expect(error.message).toBe("no response within 100 ms");
  });
});

describe("an abort", () => {
  it("rejects with the reason of the signal, and frees the socket", async () => {
    const server = await TestServer.start(hang);
    const controller = new AbortController();
    const call = failureOf(transportTo(server).send({ ...read, signal: controller.signal }));
    await eventually(
      () => server.received.length,
      (count) => count > 0,
      { withinMs: 60_000, everyMs: 5 },
    );
    expect(server.sockets.size).toBe(1);
    const [socket] = server.sockets;
    const closed = socket === undefined ? undefined : once(socket, "close");
    const reason = new Error("gone");
    controller.abort(reason);
    expect(await call).toBe(reason);
    await closed;
    expect(server.sockets.size).toBe(0);
  });

  it("ends the pause before another attempt", async () => {
    const server = await TestServer.start(refuse(503, "Service Unavailable", { "Retry-After": "5" }));
    const signal = AbortSignal.timeout(200);
    const before = performance.now();
    const error = (await failureOf(transportTo(server).send({ ...read, signal }))) as Error;
    expect(error.name).toBe("TimeoutError");
    expect(performance.now() - before).toBeLessThan(2_000);
  });

  it("sends nothing when it came before the call", async () => {
    const server = await TestServer.start(ok);
    const error = await failureOf(transportTo(server).send({ ...read, signal: AbortSignal.abort("no") }));
    expect(error).toBe("no");
    expect(server.received).toHaveLength(0);
  });

  it("leaves no listener on a signal that lives on", async () => {
    const server = await TestServer.start(ok);
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => (listeners++, add(...args));
    signal.removeEventListener = (...args: Parameters<typeof remove>) => (listeners--, remove(...args));
    for (let at = 0; at < 10; at++) await transportTo(server).send({ ...read, signal });
    expect(listeners).toBe(0);
  });
});
