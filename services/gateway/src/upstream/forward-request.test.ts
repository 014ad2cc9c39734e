import { describe, expect, it } from "@jest/globals";
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { openBreaker } from "@ikg/egress";
import { forwardRequest, type ForwardedOperation } from "./forward-request.ts";
import type { Limits } from "./transport.ts";
import type { Upstream } from "./upstream.ts";

const ofService: Limits = { body: 1_000, bodyMs: 100, waitMs: 5_000 };
const decision: ForwardedOperation = { method: "post", writes: false };

/** Forwards a request of an operation. @returns what its transport was given. */
const forwarded = async (operation: ForwardedOperation, limits = ofService) => {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  const seen: { streams: boolean; limits?: Limits }[] = [];
  const upstream = {
    transport: (_request: IncomingMessage, streams: boolean) => ({
      forward: async (_forwarded: IncomingMessage, _headers: string[], _to: ServerResponse, own: Limits) =>
        void seen.push({ streams, limits: own }),
      connections: () => ({ inUse: 0, idle: 0, waiting: 0 }),
      close: () => undefined,
    }),
    connections: () => ({ inUse: 0, idle: 0, waiting: 0 }),
    close: () => undefined,
  };
  const breaker = openBreaker("service", {});
  await forwardRequest({ upstream, breaker, limits }, operation, request, [], response);
  breaker.shutdown();
  return seen;
};

describe("the limits of an operation", () => {
  it("are those of its service", async () => {
    expect(await forwarded(decision)).toEqual([{ streams: false, limits: ofService }]);
  });

  it.each([
    ["by the pool", decision, false],
    ["as a stream", { ...decision, answer: "stream" } as const, true],
  ])("wait longer where its answer may take longer to begin: %s", async (_name, operation, streams) => {
    expect(await forwarded({ ...operation, maxWaitMs: 130_000 })).toEqual([
      { streams, limits: { ...ofService, waitMs: 130_000 } },
    ]);
  });

  it("never wait shorter than for others of its service", async () => {
    expect(await forwarded({ ...decision, maxWaitMs: 1_000 })).toEqual([
      { streams: false, limits: ofService },
    ]);
  });

  it("may be larger than those of others of its service, never smaller", async () => {
    const larger = { ...ofService, body: ofService.body * 2 };
    expect(await forwarded({ ...decision, maxBodyBytes: larger.body })).toEqual([
      { streams: false, limits: larger },
    ]);
    expect(await forwarded({ ...decision, maxBodyBytes: 1 })).toEqual([
      { streams: false, limits: ofService },
    ]);
  });

  it("have no length for a body that streams", async () => {
    expect(await forwarded({ ...decision, body: "stream", maxWaitMs: 9_000 })).toEqual([
      { streams: true, limits: { ...ofService, waitMs: 9_000, body: Infinity, stream: true } },
    ]);
  });
});

it("does not let a body that streams keep a half-open circuit from closing", async () => {
  const connections = () => ({ inUse: 0, idle: 0, waiting: 0 });
  const close = () => undefined;
  const upload = Promise.withResolvers<void>();
  const upstream: Upstream = {
    transport: (_request, streams) => ({
      forward: () => (streams ? upload.promise : Promise.resolve()),
      connections,
      close,
    }),
    connections,
    close,
  };
  const breaker = openBreaker("service", { volumeThreshold: 1, resetMs: 20 });
  const send = (operation: ForwardedOperation): Promise<void> => {
    const request = new IncomingMessage(new Socket());
    const response = new ServerResponse(request);
    return forwardRequest({ upstream, breaker, limits: ofService }, operation, request, [], response);
  };
  await expect(breaker.run(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  await wait(50);
  expect(breaker.isHalfOpen).toBe(true);
  const uploading = send({ ...decision, body: "stream" });
  await send(decision);
  expect(breaker.isHalfOpen).toBe(false);
  upload.resolve();
  await uploading;
  breaker.shutdown();
});
