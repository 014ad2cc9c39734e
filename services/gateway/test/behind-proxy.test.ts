import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { contextOf, type GatewayProcess, startGateway } from "./gateway-process.ts";
import { gatewayWith, redis, tenant, upstream, useGatewaysBySettings } from "./gateways-by-settings.ts";

useGatewaysBySettings();

let key: string;
let gateway: GatewayProcess;

beforeAll(async () => {
  key = (await tenant.key(await tenant.agent(["Authorization"]))).token;
});

const start = async (settings: Readonly<Record<string, string>>): Promise<void> => {
  gateway = await gatewayWith(settings);
};

const ask = (clientKey: string, headers: Readonly<Record<string, string>>) =>
  fetch(`${gateway.url}/access/v1/evaluation`, {
    method: "POST",
    headers: { "X-SVC-ClientKey": clientKey, "Content-Type": "application/json", ...headers },
    body: "{}",
  });

/** The log line of a request, which follows its answer a moment later. */
const loggedAs = (id: string): Promise<Readonly<Record<string, unknown>>> =>
  eventually(
    () => gateway.logs.find(({ request_id }) => request_id === id),
    (line) => line !== undefined,
    { withinMs: 3_000, everyMs: 10 },
  );

/** The client as services and the log learn of it, and what else services are sent. */
const learnt = async (headers: Readonly<Record<string, string>>) => {
  const id = randomUUID();
  expect((await ask(key, { ...headers, "X-Request-ID": id })).status).toBe(200);
  const sent = upstream.arrived.at(-1)?.headers ?? {};
  const { address } = await contextOf(sent, "access", "/access/v1/evaluation");
  const logged = await loggedAs(id);
  expect(logged["address"]).toBe(address);
  return {
    address,
    scheme: logged["scheme"],
    host: sent["host"],
    passedOn: Object.keys(sent).filter((name) => /forwarded|real-ip/.test(name)),
  };
};

const through = {
  "X-Forwarded-For": "198.51.100.1, 203.0.113.9",
  "X-Forwarded-Proto": "https",
  "X-Forwarded-Host": "ikg.example",
};

describe("behind a proxy", () => {
  it("that is trusted the client is who the proxy says, and its headers end here", async () => {
    await start({ TRUSTED_PROXIES: "127.0.0.1, ::1" });
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

  it("each client has limits of its own", async () => {
    const clients = ["203.0.113.50", "203.0.113.51"];
    await redis.del(...clients.map((client) => `ikg:rate:failures:${client}`));
    await start({
      TRUSTED_PROXIES: "127.0.0.1, ::1",
      RATE_LIMIT_FAILED_PER_MINUTE: "2",
      MAX_CONNECTIONS_PER_ADDRESS: "1",
    });
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

  it("does not start with a list that is none", async () => {
    await expect(
      startGateway({ UPSTREAM_ACCESS: upstream.url, TRUSTED_PROXIES: "proxy.example" }),
    ).rejects.toThrow();
  });
});
