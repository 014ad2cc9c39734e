import { describe, expect, it } from "@jest/globals";
import { setTimeout as wait } from "node:timers/promises";
import { startGateway } from "./gateway-process.ts";
import { key, upstream, useGateway } from "./gateway-under-test.ts";

useGateway();

describe("the process", () => {
  it("stops with 0 after what runs has finished", async () => {
    const own = await startGateway({
      UPSTREAM_CONFIGS: upstream.url,
      UPSTREAM_CAPTURE: upstream.url,
      UPSTREAM_ACCESS: upstream.url,
      UPSTREAM_CIQ: upstream.url,
      DRAIN_DELAY_MS: "200",
      COMPAT_ALIASES: "true",
    });
    upstream.answer = (_request, response) => void setTimeout(() => response.json({ late: true }), 600);
    const call = fetch(`${own.url}/contx-iq/v1/execute?a=1`, {
      method: "POST",
      headers: { "X-IK-ClientKey": key },
      body: "{}",
    });
    await wait(100);
    const stopped = own.stop();
    await wait(50);
    expect((await fetch(`${own.url}/readyz`)).status).toBe(503);
    const answer = await call;
    expect([answer.status, answer.headers.get("connection")]).toEqual([200, "close"]);
    expect(await stopped).toBe(0);
    expect(upstream.arrived[0]?.url).toBe("/ciq/v1/execute?a=1");
  });
});
