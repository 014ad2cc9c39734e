import { beforeAll, afterAll, afterEach } from "@jest/globals";
import { connect } from "node:net";
import { Redis } from "ioredis";
import { changesChannel, type Gid } from "@ikg/contracts";
import { type Graph } from "@ikg/graph";
import { requireVariable } from "../../../stack/src/testing/test-environment.ts";
import { type FakeService, startFakeService } from "./fake-service.ts";
import { type GatewayProcess, startGateway } from "./gateway-process.ts";
import { graphOfTest, newTenant, type Tenant } from "./tenant.ts";

export let graph: Graph;
export let redis: Redis;
export let tenant: Tenant;
export let upstream: FakeService;
export let gateway: GatewayProcess;
export let agent: Gid;
export let key: string;
export let account: string;

export const normal: FakeService["answer"] = (_request, response, bytes) => void response.json({ bytes });

export const call = async (method: string, path: string, init: Omit<RequestInit, "method"> = {}) => {
  const response = await fetch(gateway.url + path, { method, ...init });
  const text = await response.text();
  const body: unknown = text === "" ? undefined : JSON.parse(text);
  return { status: response.status, headers: response.headers, body };
};

export const evaluation = (headers: Record<string, string> = {}, body = "{}") =>
  call("POST", "/access/v1/evaluation", {
    headers: { "X-SVC-ClientKey": key, "Content-Type": "application/json", ...headers },
    body,
  });
export const list = () =>
  call("GET", "/configs/v1/projects", { headers: { Authorization: `Bearer ${account}` } });
export const create = () =>
  call("POST", "/configs/v1/projects", { headers: { Authorization: `Bearer ${account}` }, body: "{}" });

export const announce = (kind: string, id: Gid, kid?: string) =>
  redis.publish(
    changesChannel,
    JSON.stringify({
      kind,
      id,
      organization_id: tenant.organization,
      action: "updated",
      ...(kid ? { kid } : {}),
    }),
  );

export const nothingArrived = (): never => {
  throw new Error("nothing arrived at the service");
};

/** Sends bytes as they are and gives everything that came back. */
export const raw = (text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(gateway.url);
    let answer = "";
    const socket = connect(Number(port), hostname, () => socket.write(text));
    socket.on("data", (chunk) => (answer += chunk.toString("latin1"))).on("close", () => resolve(answer));
    socket.on("error", reject);
  });

/** Runs a gateway before one fake service for the tests of a file. */
export const useGateway = (): void => {
  beforeAll(async () => {
    graph = graphOfTest();
    redis = new Redis(requireVariable("REDIS_URL"));
    tenant = await newTenant(graph);
    upstream = await startFakeService();
    gateway = await startGateway({
      UPSTREAM_CONFIGS: upstream.url,
      UPSTREAM_CAPTURE: upstream.url,
      UPSTREAM_ACCESS: upstream.url,
      UPSTREAM_CIQ: upstream.url,
      UPSTREAM_AUDIT: upstream.url,
      LIMIT_AUDIT_MS: "500",
      LIMIT_CONFIGS_MS: "500",
      LIMIT_ACCESS_MS: "500",
      BODY_MS: "2000",
      CIRCUIT_RESET_MS: "300",
      // No load balancer has to notice that it is stopping.
      DRAIN_DELAY_MS: "0",
    });
    agent = await tenant.agent(["Authorization", "Capture", "ContXIQ"]);
    key = (await tenant.key(agent)).token;
    account = (await tenant.account("all_editor")).token;
  });

  afterAll(async () => {
    await gateway?.stop();
    await upstream?.kill();
    await tenant?.end();
    await graph?.close();
    redis?.disconnect();
  });

  afterEach(() => {
    upstream.early = undefined;
    upstream.answer = normal;
    upstream.arrived.length = 0;
  });
};
