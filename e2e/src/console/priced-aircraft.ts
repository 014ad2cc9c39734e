/** A project with an aircraft whose price a service outside of the graph knows. */
import { createTestProject, type TestProject, type TestProjectOptions } from "@ikg/client/testing";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { environment } from "../environment.ts";
import { testHost } from "../test-host.ts";

/** The service: it answers with a status that a test may change. */
export const startPriceService = async (port = 0) => {
  const service = { status: 200 };
  const server = createServer((_, response) => {
    response
      .writeHead(service.status, { "content-type": "application/json" })
      .end('{"quote": {"amount": 18400}}');
  }).listen(port, testHost());
  await once(server, "listening");
  const { port: chosen } = server.address() as AddressInfo; // it listens on a port
  return Object.assign(service, { port: chosen, close: () => void server.close() });
};

/**
 * The project, with the resolver `prices` of a service and the query `aircraft-prices`, which returns its values.
 *
 * @param queries others under the policy `may-read-prices`, which may also write aircraft.
 */
export const createPricedProject = async (
  name: string,
  port: number,
  queries: NonNullable<TestProjectOptions["queries"]> = {},
): Promise<TestProject> => {
  const project = await createTestProject({
    baseUrl: environment().base_url,
    token: environment().service_account_token,
    name,
    policies: {
      "may-read-prices": {
        meta: { policy_version: "1.0-ciq" },
        subject: { type: "_Application" },
        condition: { cypher: "MATCH (subject:_Application) MATCH (aircraft:Aircraft)" },
        allowed_reads: { nodes: ["aircraft.*"] },
        allowed_upserts: { nodes: { existing_nodes: ["aircraft"] } },
      },
    },
    queries: {
      "aircraft-prices": {
        policy: "may-read-prices",
        query: { nodes: ["aircraft.external_id", "aircraft.property.price"] },
      },
      ...queries,
    },
    graph: {
      nodes: [
        {
          type: "Aircraft",
          external_id: "N211",
          properties: [{ type: "price", external_value: "prices" }],
        },
      ],
    },
  });
  await project.admin.resolvers.create({
    name: "prices",
    url: `http://${testHost()}:${port}/{$_externalId}`,
    method: "GET",
    request_content_type: "JSON",
    response_content_type: "JSON",
    response_selector: ".quote.amount",
  });
  return project;
};
