import { describe, expect, it } from "@jest/globals";
import { contextOf, type GatewayProcess } from "./gateway-process.ts";
import { gatewayWith, redis, tenant, upstream, useGatewaysBySettings } from "./gateways-by-settings.ts";

useGatewaysBySettings();

const newKey = async (): Promise<string> =>
  (await tenant.key(await tenant.agent(["Authorization", "ContXIQ"]))).token;

const ask = async (
  gateway: GatewayProcess,
  key: string,
  path = "/access/v1/evaluation",
  header = "X-SVC-ClientKey",
) => {
  const response = await fetch(gateway.url + path, {
    method: "POST",
    headers: { [header]: key, "Content-Type": "application/json" },
    body: "{}",
  });
  return {
    status: response.status,
    retryAfter: response.headers.get("retry-after"),
    body: await response.json(),
  };
};

const statuses = async (count: number, one: () => Promise<{ readonly status: number }>): Promise<number[]> =>
  (await Promise.all(Array.from({ length: count }, one))).map(({ status }) => status);

describe("RATE_LIMIT_PER_SECOND", () => {
  it("answers 429 with Retry-After beyond it, for each credential by itself, over all gateways", async () => {
    const settings = { RATE_LIMIT_PER_SECOND: "20" };
    const gateways = [await gatewayWith(settings), await gatewayWith(settings)];
    const [one, two] = [await newKey(), await newKey()];
    const found = await Promise.all(gateways.map((gateway) => statuses(40, () => ask(gateway, one))));
    const passed = found.flat().filter((status) => status === 200).length;
    // Two seconds may have begun meanwhile.
    expect(passed).toBeGreaterThanOrEqual(20);
    expect(passed).toBeLessThanOrEqual(60);
    expect(new Set(found.flat())).toEqual(new Set([200, 429]));
    for (const gateway of gateways) expect((await ask(gateway, two)).status).toBe(200);
  });

  it("lets the credential go on after a second", async () => {
    const gateway = await gatewayWith({ RATE_LIMIT_PER_SECOND: "1" });
    const key = await newKey();
    let refused = await ask(gateway, key);
    for (let i = 0; refused.status !== 429 && i < 5; i++) refused = await ask(gateway, key);
    expect(refused).toEqual({
      status: 429,
      retryAfter: "1",
      body: {
        message: "Too Many Requests",
        errors: ["requests of a credential: at most 1 a second (RATE_LIMIT_PER_SECOND)"],
      },
    });
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    expect((await ask(gateway, key)).status).toBe(200);
  });

  it("is off by default", async () => {
    const gateway = await gatewayWith({});
    const key = await newKey();
    expect(new Set(await statuses(100, () => ask(gateway, key)))).toEqual(new Set([200]));
  });
});

describe("RATE_LIMIT_FAILED_PER_MINUTE", () => {
  it("answers 429 to refused keys of an address that tries many, and to no valid one", async () => {
    // What an earlier run in this minute has counted.
    await redis.del("ikg:rate:failures:127.0.0.1");
    const gateway = await gatewayWith({ RATE_LIMIT_FAILED_PER_MINUTE: "3" });
    const key = await newKey();
    const wrong = `${key.slice(0, -1)}${key.endsWith("0") ? "1" : "0"}`;
    const found: number[] = [];
    for (let tried = 0; tried < 5; tried++) found.push((await ask(gateway, wrong)).status);
    expect(found).toEqual([401, 401, 401, 429, 429]);
    // The first look at it, and one that is remembered.
    expect([(await ask(gateway, key)).status, (await ask(gateway, key)).status]).toEqual([200, 200]);
    expect((await ask(gateway, wrong)).body).toEqual({
      message: "Too Many Requests",
      errors: ["refused credentials of an address: at most 3 a minute (RATE_LIMIT_FAILED_PER_MINUTE)"],
    });
    await redis.del("ikg:rate:failures:127.0.0.1");
  });
});

describe("COMPAT_ALIASES", () => {
  it("takes the other names of the header and the path, and tells the service", async () => {
    const gateway = await gatewayWith({ COMPAT_ALIASES: "true" });
    const key = await newKey();
    expect((await ask(gateway, key, "/contx-iq/v1/execute", "X-IK-ClientKey")).status).toBe(200);
    expect((await ask(gateway, key, "/ciq/v1/execute")).status).toBe(200);
    const arrived = upstream.arrived.map(async ({ url, headers }) => {
      const { alias } = await contextOf(headers, "ciq", "/ciq/v1/execute");
      return [url, alias, headers["x-internal-alias"]];
    });
    expect(await Promise.all(arrived)).toEqual([
      ["/ciq/v1/execute", "execute", undefined],
      ["/ciq/v1/execute", undefined, undefined],
    ]);
  });

  it("takes those that are named, and no others", async () => {
    const gateway = await gatewayWith({ COMPAT_ALIASES: "execute, empty-collections" });
    const key = await newKey();
    expect((await ask(gateway, key, "/contx-iq/v1/execute", "X-IK-ClientKey")).status).toBe(401);
    expect((await ask(gateway, key, "/contx-iq/v1/execute")).status).toBe(200);
    const list = await fetch(`${gateway.url}/configs/v1/event-sinks`);
    expect(list.status).toBe(401);
    const other = await gatewayWith({ COMPAT_ALIASES: "client-key" });
    expect((await ask(other, key, "/ciq/v1/execute", "X-IK-ClientKey")).status).toBe(200);
    expect((await ask(other, key, "/contx-iq/v1/execute")).status).toBe(404);
    expect((await fetch(`${other.url}/configs/v1/event-sinks`)).status).toBe(404);
  });

  it("refuses a key in the old header beside one that is sent as a bearer", async () => {
    const gateway = await gatewayWith({ COMPAT_ALIASES: "true" });
    const key = await newKey();
    const response = await fetch(`${gateway.url}/access/v1/evaluation`, {
      method: "POST",
      headers: { "X-IK-ClientKey": key, Authorization: `Bearer ${key}` },
    });
    expect(response.status).toBe(400);
    expect(upstream.arrived).toEqual([]);
  });
});
