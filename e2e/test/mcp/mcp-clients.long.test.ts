import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import {
  Client,
  ClientCredentialsProvider,
  StreamableHTTPClientTransport,
  type VersionNegotiationOptions,
} from "@modelcontextprotocol/client";
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OlderTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { savePolicy } from "../../src/configuration/save-policy.ts";
import { saveQuery } from "../../src/configuration/save-query.ts";
import { cars, ann, evaluate, withBearer, useMcpProject } from "../../src/fixtures/mcp-project.ts";
import { createMcpTenant, type McpTenant, mcpUrl, modernVersion } from "../../src/mcp/mcp.ts";
import { capture } from "../../src/requests/capture.ts";
import { openAdmin } from "../../src/requests/clients.ts";
import { takeEffect } from "../../src/take-effect.ts";
import { onThisMachine } from "../../src/test-host.ts";
import { startAuthorizationServer } from "../../src/tokens/authorization-server.ts";

useMcpProject();

describe("official clients", () => {
  it.each<[string, VersionNegotiationOptions["mode"] & {}, string]>([
    ["sessions", "legacy", "2025-11-25"],
    ["no sessions", { pin: modernVersion }, modernVersion],
    ["the newest that both know", "auto", modernVersion],
  ])("of today, with %s", async (_name, mode, version) => {
    const client = new Client({ name: "e2e", version: "1" }, { versionNegotiation: { mode } });
    await client.connect(new StreamableHTTPClientTransport(mcpUrl(cars.projectId), withBearer(ann)));
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    expect((await client.listTools()).tools).toHaveLength(2);
    expect(await client.callTool(evaluate())).toMatchObject({ structuredContent: { decision: true } });
    const { resources } = await client.listResources();
    expect(resources.map(({ name }) => name)).toEqual(["own-cars-lately", "slow-cars"]);
    const { contents } = await client.readResource({ uri: resources[1]?.uri ?? "" });
    expect(contents).toHaveLength(1);
    await client.close();
  });

  it("of before", async () => {
    const client = new OlderClient({ name: "e2e", version: "1" });
    const transport = new OlderTransport(mcpUrl(cars.projectId), withBearer(ann));
    await client.connect(transport);
    expect((await client.listTools()).tools).toHaveLength(2);
    expect(await client.callTool(evaluate())).toMatchObject({ structuredContent: { decision: true } });
    await transport.terminateSession();
    await client.close();
  });

  if (onThisMachine())
    it("find the authorization server by themselves and get a token for this endpoint", async () => {
      const server = await startAuthorizationServer(["ann"]);
      const own = await createMcpTenant("mcp-oauth");
      try {
        const introspect = await openAdmin().introspects.create({
          name: "provider",
          project_id: own.projectId,
          jwt_matcher: { issuer: server.issuer, audience: String(mcpUrl(own.projectId)) },
          offline_validation: {},
          ikg_node_type: "Person",
        });
        await openAdmin().mcpServers.update(own.serverId, () => ({
          app_agent_id: own.agentId,
          token_introspect_id: introspect.id,
          enabled: true,
          scopes_supported: ["cars"],
        }));
        await takeEffect();
        const authProvider = new ClientCredentialsProvider({
          clientId: "ann",
          clientSecret: server.clientSecret,
          expectedIssuer: server.issuer,
        });
        const client = new Client({ name: "e2e", version: "1" }, { versionNegotiation: { mode: "auto" } });
        await client.connect(new StreamableHTTPClientTransport(mcpUrl(own.projectId), { authProvider }));
        expect(await client.callTool(evaluate())).toMatchObject({ structuredContent: { decision: true } });
        expect(
          await client.callTool({
            name: "ciq_execute",
            arguments: { id: "slow-cars", input_params: { limit: 99 } },
          }),
        ).toMatchObject({ structuredContent: { data: [{ nodes: { "car.external_id": "red" } }] } });
        await client.close();
      } finally {
        await own.remove();
        await server.close();
      }
    });
  else
    // oxlint-disable-next-line jest/no-disabled-tests -- its name is the reason
    it.skip("take a token over http from a server on loopback alone, and the suite runs elsewhere", () =>
      undefined);
});

describe("a model's view", () => {
  it("descriptions and schemas are enough to call every query", async () => {
    const client = new Client({ name: "e2e", version: "1" }, { versionNegotiation: { mode: "auto" } });
    const token = await cars.issuer.sign("ann", { auth_time: Math.floor(Date.now() / 1000) });
    await client.connect(new StreamableHTTPClientTransport(mcpUrl(cars.projectId), withBearer(token)));
    const { tools } = await client.listTools();
    const query = tools.find(({ inputSchema }) => inputSchema.required?.includes("id"));
    expect(query?.inputSchema.properties).toHaveProperty("input_params");
    const { resources } = await client.listResources();
    expect(resources).not.toHaveLength(0);
    for (const { description = "" } of resources) {
      const [, name = "", id = "", params = ""] =
        /Call the tool (\w+) with id "([^"]+)" and (?:no input_params|input_params: ([\w, ]+))\./.exec(
          description,
        ) ?? [];
      expect(name).toBe(query?.name);
      const names = params === "" ? [] : params.split(", ");
      const result = await client.callTool({
        name,
        arguments: { id, input_params: Object.fromEntries(names.map((each) => [each, 100])) },
      });
      expect(result).toMatchObject({
        structuredContent: { data: [{ nodes: { "car.external_id": "red" } }] },
      });
    }
    await client.close();
  });
});

describe("a model that reads every page", () => {
  /** Two of them do not fit into one answer. */
  const wide = Array.from({ length: 10 }, (_, at) => ({ type: `wide${at}`, value: "x".repeat(65_536) }));
  const ids = Array.from({ length: 25 }, (_, at) => `car-${String(at).padStart(2, "0")}`);
  const isWide = (at: number): boolean => [0, 1, 5, 24].includes(at);
  let own: McpTenant;
  let client: Client;

  beforeAll(async () => {
    own = await createMcpTenant("mcp-pages");
    const policyId = await savePolicy(own.projectId, {
      policy: {
        meta: { policy_version: "1.0-ciq" },
        subject: { type: "Person" },
        condition: { cypher: "MATCH (subject:Person)-[:RENTS]->(car:Car)" },
        allowed_reads: { nodes: ["car.*"] },
      },
    });
    for (const name of ["all-cars", "other-cars"])
      await saveQuery(own.projectId, { name, policyId, query: { nodes: ["car.*"] } });
    for (const [at, external_id] of ids.entries())
      await capture(
        {
          nodes: [{ type: "Car", external_id, properties: isWide(at) ? wide : [] }],
          relationships: [
            {
              source: { type: "Person", external_id: "ann" },
              target: { type: "Car", external_id },
              type: "RENTS",
            },
          ],
        },
        own,
      );
    await takeEffect();
    client = new Client({ name: "e2e", version: "1" }, { versionNegotiation: { mode: "auto" } });
    const token = await own.issuer.sign("ann");
    await client.connect(new StreamableHTTPClientTransport(mcpUrl(own.projectId), withBearer(token)));
  }, 60_000);
  afterAll(async () => {
    await client?.close();
    await own?.remove();
  });

  interface PageAnswer {
    readonly data: readonly { readonly nodes: Readonly<Record<string, unknown>> }[];
    readonly next_page_token?: string;
  }
  const call = (args: Readonly<Record<string, unknown>>) =>
    client.callTool({ name: "ciq_execute", arguments: { id: "all-cars", ...args } });
  const pageOf = async (args: Readonly<Record<string, unknown>>): Promise<PageAnswer> => {
    const answer = await call(args);
    expect(answer.isError).not.toBe(true);
    return answer.structuredContent as PageAnswer; // as the tool's outputSchema says
  };

  it.each([undefined, 1, 7, 25, 1_000])(
    "finds each row once: page_size %s",
    async (page_size) => {
      const seen: unknown[] = [];
      const counts: number[] = [];
      let page_token: string | undefined;
      do {
        const { data, next_page_token } = await pageOf({ page_size, page_token });
        seen.push(...data.map(({ nodes }) => nodes["car.external_id"]));
        counts.push(data.length);
        page_token = next_page_token;
      } while (page_token !== undefined && counts.length < 60);
      expect(seen).toEqual(ids);
      // Large rows end a page early, the first one after a single row.
      expect(counts[0]).toBe(1);
      if (page_size !== 1) expect(counts.slice(0, 2)).toEqual([1, Math.min(page_size ?? 100, 4)]);
    },
    60_000,
  );

  it("learns what a page token is, and that one of its own making is none", async () => {
    const { tools } = await client.listTools();
    const tool = tools.find(({ name }) => name === "ciq_execute");
    expect(tool?.inputSchema.properties?.["page_token"]).toMatchObject({
      type: "string",
      description: expect.stringContaining("next_page_token of the answer before"),
    });
    const { next_page_token } = await pageOf({});
    expect(next_page_token).toEqual(expect.any(String));
    for (const page_token of [2, "2", 100, `${next_page_token}x`])
      expect(await call({ page_token })).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining("page_token: not next_page_token of an answer") }],
      });
    expect(await call({ id: "other-cars", page_token: next_page_token })).toMatchObject({ isError: true });
    // What models send for the first page.
    for (const page_token of [undefined, null, "", 0, 1])
      expect((await pageOf({ page_token })).data.map(({ nodes }) => nodes["car.external_id"])).toEqual(
        ids.slice(0, 1),
      );
  });
});
