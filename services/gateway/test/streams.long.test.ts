import { setTimeout as wait } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import type { Graph } from "@ikg/graph";
import { type FakeService, startFakeService } from "./fake-service.ts";
import { type GatewayProcess, startGateway } from "./gateway-process.ts";
import { graphOfTest, newTenant, type Tenant } from "./tenant.ts";

let graph: Graph;
let tenant: Tenant;
let upstream: FakeService;
let gateway: GatewayProcess;
let key: string;

beforeAll(async () => {
  graph = graphOfTest();
  tenant = await newTenant(graph);
  upstream = await startFakeService();
  gateway = await startGateway({
    UPSTREAM_CONFIGS: upstream.url,
    UPSTREAM_CAPTURE: upstream.url,
    UPSTREAM_ACCESS: upstream.url,
    UPSTREAM_CIQ: upstream.url,
    CAPTURE_BODY_MS: "8000",
    LIMIT_CAPTURE_MS: "9000",
  });
  key = (await tenant.key(await tenant.agent(["Capture"]))).token;
});

afterAll(async () => {
  await gateway?.stop();
  await upstream?.kill();
  await tenant?.end();
  await graph?.close();
});

afterEach(() => {
  upstream.early = undefined;
});

/** A body that comes in so many pieces of a mebibyte, with a pause after each. */
const pieces = (count: number, pauseMs: number): ReadableStream<Uint8Array> => {
  let left = count;
  return new ReadableStream({
    pull: async (controller) => {
      if (left-- === 0) return controller.close();
      controller.enqueue(new Uint8Array(1024 * 1024).fill(32));
      await wait(pauseMs);
    },
  });
};

const send = async (path: string, body: ReadableStream<Uint8Array>) => {
  const answer = await fetch(gateway.url + path, {
    method: "POST",
    headers: { "X-SVC-ClientKey": key, "Content-Type": "application/x-ndjson" },
    body,
    duplex: "half",
  });
  return { status: answer.status, headers: answer.headers, body: await answer.json() };
};

describe("a body that passes as it comes", () => {
  it("may be longer than any other, and take longer", async () => {
    const { status, body } = await send("/capture/v1/imports", pieces(12, 750));
    expect([status, body]).toEqual([200, { bytes: 12 * 1024 * 1024 }]);
  });

  it("is given up when no further piece comes", async () => {
    const { status } = await send("/capture/v1/imports", pieces(2, 14_000));
    expect(status).toBe(408);
  });

  it("ends with the service's answer, which need not wait for the rest", async () => {
    upstream.early = (_request, response) => void response.status(400).json({ message: "Bad Request" });
    const { status, headers } = await send("/capture/v1/imports", pieces(1_000, 5));
    expect([status, headers.get("connection")]).toEqual([400, "close"]);
  });

  it("is only that of an import", async () => {
    expect((await send("/capture/v1/nodes", pieces(12, 0))).status).toBe(413);
  });
});
