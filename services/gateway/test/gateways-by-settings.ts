import { afterAll, afterEach, beforeAll } from "@jest/globals";
import type { Graph } from "@ikg/graph";
import { Redis } from "ioredis";
import { requireVariable } from "../../../stack/src/testing/test-environment.ts";
import { type FakeService, startFakeService } from "./fake-service.ts";
import { type GatewayProcess, startGateway } from "./gateway-process.ts";
import { graphOfTest, newTenant, type Tenant } from "./tenant.ts";

let graph: Graph;
export let redis: Redis;
export let tenant: Tenant;
/** In the place of every service. */
export let upstream: FakeService;
const running: GatewayProcess[] = [];

/** Gateways of a test file that start with settings of their own, and end after each test. */
export const useGatewaysBySettings = (): void => {
  beforeAll(async () => {
    graph = graphOfTest();
    redis = new Redis(requireVariable("REDIS_URL"));
    tenant = await newTenant(graph);
    upstream = await startFakeService();
    upstream.answer = (_request, response) => void response.json({});
  });

  afterEach(async () => {
    await Promise.all(running.splice(0).map((gateway) => gateway.stop()));
    upstream.arrived.length = 0;
  });

  afterAll(async () => {
    await upstream?.kill();
    await tenant?.end();
    await graph?.close();
    redis?.disconnect();
  });
};

/** Starts a gateway in front of the fake service. The caller ends it. */
export const startWith = (settings: Readonly<Record<string, string>>): Promise<GatewayProcess> => {
  const { url } = upstream;
  const services = { UPSTREAM_CONFIGS: url, UPSTREAM_CAPTURE: url, UPSTREAM_ACCESS: url, UPSTREAM_CIQ: url };
  // No load balancer has to notice that they are stopping: the delay before they drain would only take time.
  return startGateway({ ...services, DRAIN_DELAY_MS: "0", ...settings });
};

/** Starts a gateway in front of the fake service until the end of the test. */
export const gatewayWith = async (settings: Readonly<Record<string, string>>): Promise<GatewayProcess> => {
  const gateway = await startWith(settings);
  running.push(gateway);
  return gateway;
};
