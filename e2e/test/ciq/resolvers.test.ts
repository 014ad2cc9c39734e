import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { ExternalDataResolverUpdate, NewExternalDataResolver } from "@ikg/client";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { storePolicy } from "../../src/configuration/save-policy.ts";
import { saveQuery } from "../../src/configuration/save-query.ts";
import { createTenant, type Tenant } from "../../src/configuration/tenant.ts";
import { capture } from "../../src/requests/capture.ts";
import { openAdmin } from "../../src/requests/clients.ts";
import { tryExecute } from "../../src/requests/execute.ts";
import { testHost } from "../../src/test-host.ts";

const key = "e2e-key-of-a-pricing-service";

let tenant: Tenant;
let server: Server;
let address: string;
let requests: { url: string | undefined; key: string | string[] | undefined }[] = [];
let resolverId: string;
let queryId: string;

const resolver = (more: Partial<ExternalDataResolverUpdate> = {}): Omit<NewExternalDataResolver, "name"> => ({
  url: `${address}/cars/{$_externalId}?currency={$currency || EUR}`,
  method: "GET",
  headers: { "X-Key": key },
  request_content_type: "JSON",
  response_content_type: "JSON",
  response_selector: ".quote.amount",
  ...more,
});
const execute = (currency?: string) =>
  tryExecute({ id: queryId, input_params: currency === undefined ? {} : { currency } }, tenant);

beforeAll(async () => {
  server = createServer((request, response) => {
    requests.push({ url: request.url, key: request.headers["x-key"] });
    response
      .setHeader("Content-Type", "application/json")
      .end(JSON.stringify({ quote: { amount: 18400, of: request.url } }));
  });
  await once(server.listen(0, testHost()), "listening");
  address = `http://${testHost()}:${(server.address() as AddressInfo).port}`; // it listens on a port
  tenant = await createTenant("resolvers");
  resolverId = (
    await openAdmin().resolvers.create({
      name: "prices",
      project_id: tenant.projectId,
      ...resolver(),
    })
  ).id;
  const price = { type: "price", external_value: "prices", metadata: { source: "pricing-api" } };
  const nodes = [{ type: "Car", external_id: "car2", properties: [price] }];
  await capture({ nodes }, tenant);
  const policyId = await storePolicy(tenant.projectId, {
    policy: {
      meta: { policy_version: "1.0-ciq" },
      subject: { type: "_Application" },
      condition: { cypher: "MATCH (subject:_Application) MATCH (car:Car)" },
      allowed_reads: { nodes: ["car.*"] },
    },
  });
  queryId = await saveQuery(tenant.projectId, {
    policyId,
    query: { nodes: ["car.property.price", "car.property.price.metadata.source"] },
  });
});
afterAll(async () => {
  await tenant?.remove();
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  requests = [];
});

const answer = (price: unknown): object => ({
  nodes: { "car.property.price": price, "car.property.price.metadata.source": "pricing-api" },
});

describe("external data resolvers through the gateway", () => {
  it("are called when a query reads, with the key that is sealed in them", async () => {
    const { status, body } = await execute();
    expect([status, body]).toEqual([200, { data: [answer(18400)] }]);
    expect((await execute("a b&c")).body).toEqual({ data: [answer(18400)] });
    expect(requests).toEqual([
      { url: "/cars/car2?currency=EUR", key },
      { url: "/cars/car2?currency=a%20b%26c", key },
    ]);
  });

  it("change, fail and go while queries go on", async () => {
    const { resolvers } = openAdmin();
    await resolvers.update(resolverId, () => resolver({ response_selector: "$.quote.of" }));
    const changed = await eventually(execute, ({ text }) => text.includes("/cars/car2"));
    expect(changed.body).toEqual({ data: [answer("/cars/car2?currency=EUR")] });

    await resolvers.update(resolverId, () => resolver({ url: "http://localhost:9/" }));
    const error = (reason: string) => ({
      data: [answer(null)],
      errors: [{ row: 0, path: "car.property.price", resolver: "prices", reason }],
    });
    const blocked = await eventually(execute, ({ text }) => text.includes("errors"));
    expect([blocked.status, blocked.body]).toEqual([200, error("blocked_address")]);

    await resolvers.delete(resolverId);
    const gone = await eventually(execute, ({ text }) => text.includes("resolver_not_found"));
    expect([gone.status, gone.body]).toEqual([200, error("resolver_not_found")]);
  });
});
