/** Clients of a gateway behind a proxy, and what services and its log learn of them. Shared by the tests of proxies. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect } from "@jest/globals";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { contextOf, type GatewayProcess } from "./gateway-process.ts";
import { gatewayWith, startWith, tenant, upstream, useGatewaysBySettings } from "./gateways-by-settings.ts";

export let key: string;
export let gateway: GatewayProcess;

/** Creates a key for the tests of a file, whose gateways end after each test. */
export const useProxy = (): void => {
  useGatewaysBySettings();
  beforeAll(async () => {
    key = (await tenant.key(await tenant.agent(["Authorization"]))).token;
  });
};

/** The same with one gateway for all tests of a file. */
export const useProxiedGateway = (settings: Readonly<Record<string, string>>): void => {
  useProxy();
  beforeAll(async () => {
    gateway = await startWith(settings);
  });
  afterAll(() => gateway?.stop());
};

/** Starts a gateway until the end of the test. */
export const start = async (settings: Readonly<Record<string, string>>): Promise<void> => {
  gateway = await gatewayWith(settings);
};

export const ask = (clientKey: string, headers: Readonly<Record<string, string>>) =>
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
export const learnt = async (headers: Readonly<Record<string, string>>) => {
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

export const through = {
  "X-Forwarded-For": "198.51.100.1, 203.0.113.9",
  "X-Forwarded-Proto": "https",
  "X-Forwarded-Host": "ikg.example",
};
