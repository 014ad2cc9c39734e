import { describe, expect, it } from "@jest/globals";
import { startGateway } from "./gateway-process.ts";
import { upstream } from "./gateways-by-settings.ts";
import { gateway, learnt, start, through, useProxy } from "./proxied-clients.ts";

useProxy();

describe("behind a proxy", () => {
  it("that is not trusted the client is who connects, and its headers are ignored", async () => {
    await start({ TRUSTED_PROXIES: "10.0.0.0/8" });
    const forged = { ...through, Forwarded: "for=198.51.100.7;proto=https;host=forged.example" };
    expect(await learnt({ ...forged, "X-Real-IP": "198.51.100.7", "X-Forwarded-Prefix": "/a" })).toEqual({
      address: "127.0.0.1",
      scheme: undefined,
      host: gateway.url.slice("http://".length),
      passedOn: [],
    });
  });

  it("does not start with a list that is none", async () => {
    await expect(
      startGateway({ UPSTREAM_ACCESS: upstream.url, TRUSTED_PROXIES: "proxy.example" }),
    ).rejects.toThrow();
  });
});
