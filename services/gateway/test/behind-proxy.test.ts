import { describe, expect, it } from "@jest/globals";
import { redis } from "./gateways-by-settings.ts";
import { ask, gateway, key, learnt, through, useProxiedGateway } from "./proxied-clients.ts";

useProxiedGateway({
  TRUSTED_PROXIES: "127.0.0.1, ::1",
  RATE_LIMIT_FAILED_PER_MINUTE: "2",
  MAX_CONNECTIONS_PER_ADDRESS: "1",
});

describe("behind a proxy", () => {
  it("that is trusted the client is who the proxy says, and its headers end here", async () => {
    const own = gateway.url.slice("http://".length);
    const passedOn: string[] = [];
    expect(await learnt(through)).toEqual({
      address: "203.0.113.9",
      scheme: "https",
      host: "ikg.example",
      passedOn,
    });
    expect(await learnt({ Forwarded: "for=198.51.100.7;proto=http;host=ikg.example" })).toEqual({
      address: "198.51.100.7",
      scheme: "http",
      host: "ikg.example",
      passedOn,
    });
    expect(await learnt({})).toEqual({ address: "127.0.0.1", scheme: undefined, host: own, passedOn });
  });

  it("each client has limits of its own", async () => {
    const clients = ["203.0.113.50", "203.0.113.51"];
    await redis.del(...clients.map((client) => `ikg:rate:failures:${client}`));
    const wrong = `${key.slice(0, -1)}${key.endsWith("0") ? "1" : "0"}`;
    const statuses: number[][] = [];
    for (const client of clients) {
      const found: number[] = [];
      for (let tried = 0; tried < 3; tried++)
        found.push((await ask(wrong, { "X-Forwarded-For": client })).status);
      statuses.push(found);
    }
    expect(statuses).toEqual([
      [401, 401, 429],
      [401, 401, 429],
    ]);
    // More connections of the proxy at one time than an address may have.
    const answers = await Promise.all(Array.from({ length: 5 }, () => ask(key, through)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  });
});
