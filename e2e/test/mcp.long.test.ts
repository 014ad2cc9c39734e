import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, jest } from "@jest/globals";
import {
  Client,
  ClientCredentialsProvider,
  StreamableHTTPClientTransport,
  type VersionNegotiationOptions,
} from "@modelcontextprotocol/client";
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OlderTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { startAuthorizationServer } from "../src/authorization-server.ts";
import { type Process, startBeside } from "../src/beside.ts";
import { type ConfigRecord, configs, createRecord } from "../src/configs.ts";
import { environment } from "../src/environment.ts";
import { eventually, takeEffect } from "../src/eventually.ts";
import {
  callMcp,
  createMcpTenant,
  initialize,
  legacyCall,
  mcpPath,
  type McpTenant,
  mcpUrl,
  meta,
  modernCall,
  modernVersion,
  openSession,
} from "../src/mcp.ts";
import { startGatewayBefore, startMcp, startMcpBeside } from "../src/mcp-beside.ts";
import { must } from "../src/must.ts";
import { capture } from "../src/capture.ts";
import { savePolicy } from "../src/save-policy.ts";
import { saveQuery } from "../src/save-query.ts";
import { onThisMachine } from "../src/test-host.ts";

let cars: McpTenant;
let ann: string;

const driveRed = { resource_type: "Car", resource_id: "red", action_name: "DRIVE" };
const evaluate = (args: Record<string, unknown> = driveRed) => ({
  name: "authzen_evaluate",
  arguments: args,
});

interface Listening {
  readonly id?: number | string;
  readonly base?: string;
  readonly signal?: AbortSignal;
}

beforeAll(async () => {
  cars = await createMcpTenant("mcp-life");
  ann = await cars.issuer.sign("ann");
});
afterAll(async () => {
  await cars?.remove();
});

/** Opens a stream of news. */
const listen = (token: string, { id = 1, base, signal }: Listening = {}): Promise<Response> =>
  fetch(mcpUrl(cars.projectId, base), {
    method: "POST",
    ...(signal === undefined ? {} : { signal }),
    headers: {
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      Authorization: `Bearer ${token}`,
      "MCP-Protocol-Version": modernVersion,
      "Mcp-Method": "subscriptions/listen",
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id,
      method: "subscriptions/listen",
      params: { _meta: meta(), notifications: { resourcesListChanged: true } },
    }),
  });

const bearing = (token: string) => ({ requestInit: { headers: { Authorization: `Bearer ${token}` } } });

describe("official clients", () => {
  it.each<[string, VersionNegotiationOptions["mode"] & {}, string]>([
    ["sessions", "legacy", "2025-11-25"],
    ["no sessions", { pin: modernVersion }, modernVersion],
    ["the newest that both know", "auto", modernVersion],
  ])("of today, with %s", async (_name, mode, version) => {
    const client = new Client({ name: "e2e", version: "1" }, { versionNegotiation: { mode } });
    await client.connect(new StreamableHTTPClientTransport(mcpUrl(cars.projectId), bearing(ann)));
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
    const transport = new OlderTransport(mcpUrl(cars.projectId), bearing(ann));
    await client.connect(transport);
    expect((await client.listTools()).tools).toHaveLength(2);
    expect(await client.callTool(evaluate())).toMatchObject({ structuredContent: { decision: true } });
    await transport.terminateSession();
    await client.close();
  });

  if (onThisMachine())
    it("find the authorization server by themselves and get a token for this endpoint", async () => {
      // The provider says that it keeps its data in memory, as it shall.
      jest.spyOn(console, "warn").mockImplementation(() => undefined);
      const server = await startAuthorizationServer(["ann"]);
      const own = await createMcpTenant("mcp-oauth", {});
      try {
        const introspect = await createRecord<ConfigRecord>("token-introspects", {
          name: "provider",
          project_id: own.projectId,
          jwt_matcher: { issuer: server.issuer, audience: String(mcpUrl(own.projectId)) },
          offline_validation: {},
          ikg_node_type: "Person",
        });
        must(
          await configs(`/mcp-servers/${own.serverId}`, {
            method: "PUT",
            json: {
              app_agent_id: own.agentId,
              token_introspect_id: introspect.id,
              enabled: true,
              scopes_supported: ["cars"],
            },
          }),
          200,
        );
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
    await client.connect(new StreamableHTTPClientTransport(mcpUrl(cars.projectId), bearing(token)));
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
    await client.connect(new StreamableHTTPClientTransport(mcpUrl(own.projectId), bearing(token)));
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

  it("is told what a page token is, and that one of its own making is none", async () => {
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

describe("two replicas behind two gateways", () => {
  let access: Process;
  let mcp: Process;
  let gateway: Process;
  const at = ({ port }: Process): string => `http://127.0.0.1:${port}`;
  const restartable = () =>
    startMcp({ UPSTREAM_ACCESS: at(access), TOKEN_CLOCK_SKEW_SECONDS: "0", MCP_TOOL_TIMEOUT_MS: "3000" });
  const call = (session: string, method: string, params?: object, base?: string, token = ann) =>
    legacyCall(cars.projectId, method, params, { token, session, ...(base === undefined ? {} : { base }) });
  const toolOf = (session: string, name: string, args: object) =>
    call(session, "tools/call", { name, arguments: args }, at(gateway));

  beforeAll(async () => {
    access = await startBeside("access", { DRAIN_DELAY_MS: "0" });
    mcp = await restartable();
    gateway = await startGatewayBefore(mcp);
  });
  afterAll(async () => {
    for (const each of [gateway, mcp, access]) await each?.stop();
  });

  it("any serves any session, also after a restart", async () => {
    const session = await openSession(cars.projectId, ann);
    const elsewhere = await openSession(cars.projectId, ann, at(gateway));
    for (let round = 0; round < 3; round++) {
      for (const id of [session, elsewhere]) {
        expect((await call(id, "tools/list")).status).toBe(200);
        const { body } = await call(id, "tools/call", evaluate(), at(gateway));
        expect(body.result).toMatchObject({ structuredContent: { decision: true } });
      }
      if (round === 1) {
        await mcp.stop();
        await gateway.stop();
        mcp = await restartable();
        gateway = await startGatewayBefore(mcp);
      }
    }
    const end = await callMcp(cars.projectId, undefined, {
      token: ann,
      session,
      method: "DELETE",
      base: at(gateway),
    });
    expect(end.status).toBe(200);
    expect((await call(session, "ping")).status).toBe(404);
  });

  it("a token that expires inside a session opens nothing more, and ends its streams", async () => {
    const token = await cars.issuer.sign("ann", { exp: Math.floor(Date.now() / 1000) + 3 });
    const session = await openSession(cars.projectId, token, at(gateway));
    const response = await listen(token, { base: at(gateway) });
    expect(response.status).toBe(200);
    expect((await call(session, "ping", undefined, at(gateway), token)).status).toBe(200);
    // The stream is broken off, which fetch tells as an error.
    await response.text().catch(() => "");
    await pause(1_000);
    const late = await call(session, "ping", undefined, at(gateway), token);
    expect([late.status, late.headers.get("www-authenticate")]).toEqual([
      401,
      expect.stringContaining('error="invalid_token"'),
    ]);
    expect((await call(session, "ping", undefined, at(gateway))).status).toBe(200);
  });

  it("a stream is told that it is over when its replica stops, and the replica stops at once", async () => {
    const response = await listen(ann, { id: "over", base: at(gateway) });
    const began = performance.now();
    const [text] = await Promise.all([response.text(), mcp.stop()]);
    expect(performance.now() - began).toBeLessThan(5_000);
    const last = text.trim().split("\n\n").at(-1) ?? "";
    expect(JSON.parse(last.slice(last.indexOf("{")))).toMatchObject({
      id: "over",
      result: { resultType: "complete", _meta: { "io.modelcontextprotocol/subscriptionId": "over" } },
    });
    await gateway.stop();
    mcp = await restartable();
    gateway = await startGatewayBefore(mcp);
  });

  it("a service that is away is said so by the tool; the endpoint stays up", async () => {
    const session = await openSession(cars.projectId, ann, at(gateway));
    const away = {
      content: [{ type: "text", text: JSON.stringify({ status: 503, message: "temporarily unavailable" }) }],
      isError: true,
    };
    const query = { id: "slow-cars", input_params: { limit: 1 } };
    expect((await toolOf(session, "ciq_execute", query)).body.result).toEqual(away);
    await access.stop();
    expect((await toolOf(session, "authzen_evaluate", driveRed)).body.result).toEqual(away);
    expect((await call(session, "resources/list", undefined, at(gateway))).status).toBe(200);
    access = await startBeside("access", { DRAIN_DELAY_MS: "0" });
  });
});

describe("hostile callers", () => {
  it("cost no memory that stays", async () => {
    // So little room that what is not let go of shows, or ends the process.
    const NODE_OPTIONS = "--max-old-space-size=48";
    const beside = await startMcpBeside({ MCP_TOOL_TIMEOUT_MS: "3000", NODE_OPTIONS });
    const { base, mcp } = beside;
    const eve = await cars.issuer.sign("eve");
    const large = JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "ping",
      params: { a: "x".repeat(4_000_000) },
    });
    const round = async (): Promise<void> => {
      const ends = new AbortController();
      // Streams that nobody reads, sessions that nobody ends, bodies that are too large, tokens that are none.
      const opened = Array.from({ length: 20 }, () => listen(eve, { base, signal: ends.signal }));
      for (const { status } of await Promise.all(opened)) expect(status).toBe(200);
      for (let each = 0; each < 30; each++) {
        expect((await callMcp(cars.projectId, initialize(), { token: eve, base })).status).toBe(200);
        expect((await callMcp(cars.projectId, initialize(), { token: "none", base })).status).toBe(401);
      }
      for (let each = 0; each < 5; each++) {
        const { status } = await callMcp(cars.projectId, undefined, { token: eve, base, raw: large });
        expect(status).toBe(413);
      }
      ends.abort();
      await pause(200);
    };
    try {
      const resident: number[] = [];
      for (let each = 0; each < 20; each++) {
        await round();
        resident.push(mcp.residentMb());
      }
      // The first rounds fill what room the collector has. 15 of them send 300 MB, and open 300 streams.
      const [early, late] = [resident.slice(3, 6), resident.slice(-3)];
      expect(Math.min(...late) - Math.min(...early)).toBeLessThan(15);
    } finally {
      await beside.stop();
    }
  }, 180_000);

  it("a hundred sessions of one token leave twenty", async () => {
    const cat = await cars.issuer.sign("cat");
    const sessions = await Promise.all(
      Array.from({ length: 100 }, async () => {
        const { status, headers } = await callMcp(cars.projectId, initialize(), { token: cat });
        expect(status).toBe(200);
        return headers.get("mcp-session-id") ?? "";
      }),
    );
    expect(new Set(sessions).size).toBe(100);
    const alive = await Promise.all(
      sessions.map(async (session) => {
        const { status } = await legacyCall(cars.projectId, "ping", undefined, { token: cat, session });
        return status;
      }),
    );
    expect(alive.filter((status) => status === 200)).toHaveLength(20);
    expect(alive.filter((status) => status === 404)).toHaveLength(80);
  });

  it("streams of one token have a limit", async () => {
    const dan = await cars.issuer.sign("dan");
    const ends: AbortController[] = [];
    const typeOf = async () => {
      const end = new AbortController();
      ends.push(end);
      const { headers } = await listen(dan, { signal: end.signal });
      return headers.get("content-type")?.split(";")[0];
    };
    // Each process has its own, and whoever asks does not choose one.
    const most = 20 * (environment().replicas ?? 1);
    let open = 0;
    let last = await typeOf();
    for (; last === "text/event-stream" && open <= most; last = await typeOf()) open++;
    expect(last).toBe("application/json");
    expect(open).toBeGreaterThanOrEqual(20);
    expect(open).toBeLessThanOrEqual(most);
    for (const end of ends) end.abort();
    await eventually(typeOf, (type) => type === "text/event-stream");
    for (const end of ends) end.abort();
  });

  it("a body of ten megabytes is refused, whatever it says of its length", async () => {
    const text = JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "ping",
      params: { _meta: { a: "x".repeat(10_485_760) } },
    });
    const refused = await callMcp(cars.projectId, undefined, { token: ann, raw: text });
    expect([refused.status, refused.body]).toEqual([413, { message: "Content Too Large" }]);
    const unannounced = await fetch(mcpUrl(cars.projectId), {
      method: "POST",
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${ann}` },
      body: new Blob([text]).stream(),
      duplex: "half",
    });
    expect(unannounced.status).toBe(413);
  });

  it("header and body that disagree, also on who is called, are refused", async () => {
    const { status, body } = await modernCall(cars.projectId, "tools/call", evaluate(), {
      token: ann,
      headers: { "Mcp-Name": "ciq_execute" },
    });
    expect([status, body.error?.code]).toEqual([400, -32020]);
  });

  it("nothing of an inner context that a caller makes up is believed", async () => {
    const session = await openSession(cars.projectId, ann);
    const { body } = await legacyCall(
      cars.projectId,
      "tools/call",
      evaluate({ ...driveRed, resource_id: "blue" }),
      {
        token: ann,
        session,
        headers: { "X-Internal-Context": "made up", "X-SVC-ClientKey": cars.key },
      },
    );
    expect(body.result).toMatchObject({ structuredContent: { decision: false } });
  });

  it("past the gateway are refused, whatever their token is and whatever address they claim", async () => {
    const mcp = await startMcp({});
    try {
      const { status, body } = await modernCall(
        cars.projectId,
        "tools/list",
        {},
        {
          token: ann,
          base: `http://127.0.0.1:${mcp.port}`,
          headers: { "X-Internal-Client-Address": "203.0.113.9" },
        },
      );
      expect([status, body]).toEqual([503, { message: "internal context missing or not valid" }]);
    } finally {
      await mcp.stop();
    }
  });

  it("keys of prototypes are names like any other", async () => {
    const session = await openSession(cars.projectId, ann);
    for (const name of ["__proto__", "constructor", "toString"]) {
      const { status, body } = await legacyCall(
        cars.projectId,
        "tools/call",
        { name, arguments: {} },
        {
          token: ann,
          session,
        },
      );
      expect([status, body.error?.code]).toEqual([200, -32602]);
    }
    expect((await callMcp("__proto__", initialize(), { token: ann })).status).toBe(404);
    expect(mcpPath("x")).toBe("/mcp/v1/x");
  });
});
