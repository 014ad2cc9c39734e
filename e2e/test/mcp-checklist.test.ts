import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { configs, createRecord, deleteRecord } from "../src/configs.ts";
import { environment } from "../src/environment.ts";
import { eventually, takeEffect } from "../src/eventually.ts";
import {
  callMcp,
  type Calling,
  createMcpTenant,
  initialize,
  legacyCall,
  mcpPath,
  type McpTenant,
  meta,
  modernCall,
  openSession,
  type RpcAnswer,
} from "../src/mcp.ts";
import { startMcpBeside } from "../src/mcp-beside.ts";
import { send } from "../src/send.ts";
import { sendRaw } from "../src/send-raw.ts";
import { createTenant } from "../src/tenant.ts";
import { onThisMachine } from "../src/test-host.ts";

/** Every line of the self-check list, through the gateway. */
let cars: McpTenant;
let other: McpTenant;
let ann: string;
let bob: string;
let session: string;

const legacy = (method: string, params?: object, calling: Calling = {}): Promise<RpcAnswer> =>
  legacyCall(cars.projectId, method, params, { token: ann, session, ...calling });
const modern = (
  method: string,
  params: Readonly<Record<string, unknown>> = {},
  headers: Readonly<Record<string, string | null>> = {},
): Promise<RpcAnswer> => modernCall(cars.projectId, method, params, { token: ann, headers });

const driveRed = { resource_type: "Car", resource_id: "red", action_name: "DRIVE" };
const decided = (decision: boolean) => ({
  content: [{ type: "text", text: JSON.stringify({ decision }) }],
  structuredContent: { decision },
});
const rows = (...found: object[]) => {
  const data = found.map((nodes) => ({ nodes }));
  return { content: [{ type: "text", text: JSON.stringify({ data }) }], structuredContent: { data } };
};
const errorOf = (answer: RpcAnswer) => [answer.status, answer.body.error?.code];
/** What a tool's error tells. */
const told = ({ body }: RpcAnswer): Readonly<Record<string, unknown>> => {
  const { content, isError } = body.result as { content: [{ text: string }]; isError?: boolean };
  expect(isError).toBe(true);
  return JSON.parse(content[0].text) as Readonly<Record<string, unknown>>;
};

/** The status of a request that names another host: a page whose name was made to lead here. */
const underName = (Host: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const address = new URL(`${environment().base_url}${mcpPath(cars.projectId)}`);
    const asked = request(address, { method: "DELETE", headers: { Host, Authorization: `Bearer ${ann}` } });
    asked.once("response", (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    asked.once("error", reject);
    asked.end();
  });

beforeAll(async () => {
  cars = await createMcpTenant("mcp");
  other = await createMcpTenant("mcp-other");
  ann = await cars.issuer.sign("ann");
  bob = await cars.issuer.sign("bob");
  session = await openSession(cars.projectId, ann);
});
afterAll(async () => {
  await cars?.remove();
  await other?.remove();
});

describe("the revision 2025-11-25", () => {
  it("initialize opens a session", async () => {
    const answer = (await callMcp(cars.projectId, initialize(), { token: ann })) as RpcAnswer;
    expect(answer.status).toBe(200);
    expect(answer.headers.get("mcp-session-id")).toMatch(/^[\x21-\x7e]{20,}$/);
    expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
    expect(answer.body.result).toEqual({
      protocolVersion: "2025-11-25",
      capabilities: { tools: { listChanged: false }, resources: { listChanged: false, subscribe: false } },
      serverInfo: { name: "ikg", title: expect.any(String), version: expect.any(String) },
      instructions: expect.any(String),
    });
  });

  it.each([
    ["2025-06-18", "2025-06-18"],
    ["2025-03-26", "2025-03-26"],
    ["2024-11-05", "2024-11-05"],
    ["2026-07-28", "2025-11-25"],
    ["1999-01-01", "2025-11-25"],
  ])("initialize with %s is answered with %s", async (asked, answered) => {
    const { body } = (await callMcp(cars.projectId, initialize(asked), { token: ann })) as RpcAnswer;
    expect(body.result).toMatchObject({ protocolVersion: answered });
  });

  it("initialize with wrong parameters is an error and opens nothing", async () => {
    const answer = (await callMcp(
      cars.projectId,
      { jsonrpc: "2.0", id: 1, method: "initialize", params: {} },
      { token: ann },
    )) as RpcAnswer;
    expect(errorOf(answer)).toEqual([200, -32602]);
    expect(answer.headers.get("mcp-session-id")).toBeNull();
  });

  it("notifications are accepted without a body", async () => {
    for (const method of ["notifications/initialized", "notifications/cancelled"]) {
      const params = method.endsWith("cancelled") ? { requestId: 99 } : undefined;
      const message = { jsonrpc: "2.0", method, ...(params === undefined ? {} : { params }) };
      const answer = await callMcp(cars.projectId, message, { token: ann, session });
      expect([answer.status, answer.text]).toEqual([202, ""]);
    }
  });

  it("tools/list names two tools in order, with schemas of objects", async () => {
    const { body } = await legacy("tools/list");
    const { tools, nextCursor } = body.result as { tools: Record<string, object>[]; nextCursor?: string };
    expect(nextCursor).toBeUndefined();
    expect(tools.map(({ name }) => name)).toEqual(["authzen_evaluate", "ciq_execute"]);
    for (const { inputSchema, outputSchema } of tools) {
      expect(inputSchema).toMatchObject({ type: "object", properties: expect.any(Object) });
      expect(outputSchema).toMatchObject({ type: "object", properties: expect.any(Object) });
    }
    expect(tools[0]).toMatchObject({
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
      outputSchema: { required: ["decision"] },
    });
    expect(tools[0]?.["inputSchema"]).not.toHaveProperty("required");
    expect(tools[1]).toMatchObject({
      annotations: {
        readOnlyHint: false,
        destructiveHint: true,
        idempotentHint: false,
        openWorldHint: false,
      },
      inputSchema: { required: ["id"] },
      outputSchema: { required: ["data"] },
    });
    expect(body.result).not.toHaveProperty("resultType");
    expect(body.result).not.toHaveProperty("ttlMs");
  });

  it("resources/list names the ACTIVE queries by name; templates and one resource read", async () => {
    const { body } = await legacy("resources/list");
    expect(body.result).toEqual({
      resources: [
        {
          uri: `ikg://knowledge-queries/${encodeURIComponent(cars.otherQueryId)}`,
          name: "own-cars-lately",
          description: expect.stringContaining("no input_params"),
          mimeType: "application/json",
        },
        {
          uri: `ikg://knowledge-queries/${encodeURIComponent(cars.queryId)}`,
          name: "slow-cars",
          description: expect.stringContaining("limit"),
          mimeType: "application/json",
        },
      ],
    });
    expect((await legacy("resources/templates/list")).body.result).toMatchObject({
      resourceTemplates: [{ uriTemplate: "ikg://knowledge-queries/{id}", name: "knowledge-query" }],
    });
    for (const id of [encodeURIComponent(cars.queryId), cars.queryId, "slow-cars"]) {
      const uri = `ikg://knowledge-queries/${id}`;
      const { contents } = (await legacy("resources/read", { uri })).body.result as {
        contents: { uri: string; text: string; mimeType: string }[];
      };
      expect(contents).toEqual([{ uri, mimeType: "application/json", text: expect.any(String) }]);
      expect(JSON.parse(contents[0]?.text ?? "")).toEqual({
        id: cars.queryId,
        name: "slow-cars",
        subject_type: "Person",
        requires_user_token: true,
        input_params: ["limit"],
        returns: ["car.external_id", "car.property.colour"],
        writes: false,
      });
    }
    const all = (await legacy("resources/read", { uri: "ikg://knowledge-queries/" })).body.result as {
      contents: [{ text: string }];
    };
    expect(JSON.parse(all.contents[0].text)).toHaveLength(2);
    const none = await legacy("resources/read", { uri: "ikg://knowledge-queries/none" });
    expect(none.body.error).toMatchObject({ code: -32602, data: { uri: "ikg://knowledge-queries/none" } });
    expect(errorOf(await legacy("resources/list", { cursor: "bad" }))).toEqual([200, -32602]);
  });

  it("authzen_evaluate answers for the token's subject, and for whom else is named", async () => {
    const evaluate = async (args: object) =>
      (await legacy("tools/call", { name: "authzen_evaluate", arguments: args })).body.result;
    expect(await evaluate(driveRed)).toEqual(decided(true));
    expect(await evaluate({ ...driveRed, resource_id: "blue" })).toEqual(decided(false));
    expect(await evaluate({ ...driveRed, subject_type: "Person", subject_id: "bob" })).toEqual(
      decided(false),
    );
    expect(
      await evaluate({
        subject: { type: "Person", id: "bob" },
        resource: { type: "Car", id: "blue" },
        action: { name: "DRIVE" },
      }),
    ).toEqual(decided(true));
    expect(await evaluate({ ...driveRed, action_name: "RACE", input_params: { limit: 100 } })).toEqual(
      decided(true),
    );
    const context = { input_params: { limit: 10 } };
    expect(await evaluate({ ...driveRed, action_name: "RACE", context })).toEqual(decided(false));
  });

  it("ciq_execute answers for the token's subject", async () => {
    const execute = async (id: string, input_params: object) =>
      (await legacy("tools/call", { name: "ciq_execute", arguments: { id, input_params } })).body.result;
    const red = rows({ "car.external_id": "red", "car.property.colour": "red" });
    expect(await execute("slow-cars", { limit: 100 })).toEqual(red);
    expect(await execute(cars.queryId, { limit: 100 })).toEqual(red);
    expect(await execute("slow-cars", { limit: 10 })).toEqual(rows());
  });

  it("what a model can correct is an error of the tool that says what", async () => {
    const call = (name: string, args: unknown) => legacy("tools/call", { name, arguments: args });
    expect(told(await call("authzen_evaluate", { resource_type: 7 }))).toMatchObject({ status: 400 });
    expect(told(await call("authzen_evaluate", { subject_id: "ann", resource_type: "Car" }))).toEqual({
      status: 400,
      message: expect.any(String),
      errors: ["subject_type: required", "resource_id: required", "action_name: required"],
    });
    expect(told(await call("authzen_evaluate", { ...driveRed, action_name: "RACE" }))).toMatchObject({
      status: 422,
      errors: [expect.stringContaining("limit")],
    });
    expect(told(await call("ciq_execute", {}))).toMatchObject({
      status: 400,
      errors: [expect.stringMatching(/^id: /)],
    });
    expect(told(await call("ciq_execute", { id: "no-such-query" }))).toMatchObject({ status: 404 });
    expect(told(await call("ciq_execute", { id: "slow-cars" }))).toMatchObject({ status: 422 });
    expect(told(await call("ciq_execute", { id: "slow-cars", page_size: 5_000 }))).toMatchObject({
      status: 400,
    });
    const mismatch = { ...driveRed, action_name: "WATCH", subject_type: "Person", subject_id: "bob" };
    expect(told(await call("authzen_evaluate", mismatch))).toMatchObject({ status: 403 });
  });

  it("a policy that wants a fresh sign-in answers with its challenge", async () => {
    const args = { id: "own-cars-lately" };
    const answer = await legacy("tools/call", { name: "ciq_execute", arguments: args });
    expect(told(answer)).toMatchObject({
      status: 401,
      error: "insufficient_user_authentication",
      error_description: "Sign in again",
      max_age: "300",
    });
    expect(answer.body.result).toMatchObject({
      _meta: {
        www_authenticate:
          'Bearer error="insufficient_user_authentication", error_description="Sign in again", max_age="300"',
      },
    });
    const token = await cars.issuer.sign("ann", { auth_time: Math.floor(Date.now() / 1000) });
    const again = await legacy("tools/call", { name: "ciq_execute", arguments: args }, { token });
    expect(again.body.result).toEqual(rows({ "car.external_id": "red" }));
  });

  it("tells why, where the agent may ask", async () => {
    const token = await other.issuer.sign("ann");
    const own = await openSession(other.projectId, token);
    const call = (method: string, params?: object) =>
      legacyCall(other.projectId, method, params, { token, session: own });
    const explained = { name: "authzen_evaluate", arguments: { ...driveRed, explain: true } };
    expect(told(await call("tools/call", explained))).toMatchObject({ status: 403 });
    const api_permissions = ["Capture", "Authorization", "ContXIQ", "ReadAuthZConfigs"];
    await configs(`/application-agents/${other.agentId}`, { method: "PUT", json: { api_permissions } });
    await eventually(
      () => call("tools/list"),
      ({ body }) => JSON.stringify(body.result).split('"explain":').length === 3,
    );
    expect((await call("tools/call", explained)).body.result).toMatchObject({
      structuredContent: { decision: true, context: { explanation: expect.anything() } },
    });
    const query = { id: "slow-cars", input_params: { limit: 100 }, explain: true, page_size: null };
    expect((await call("tools/call", { name: "ciq_execute", arguments: query })).body.result).toMatchObject({
      structuredContent: { data: [{ nodes: { "car.external_id": "red" } }], explanation: expect.anything() },
    });
  });

  it("an unknown tool, and parameters of no form, are errors of the protocol", async () => {
    expect(errorOf(await legacy("tools/call", { name: "nothing", arguments: {} }))).toEqual([200, -32602]);
    expect(errorOf(await legacy("tools/call", { arguments: {} }))).toEqual([200, -32602]);
    expect(errorOf(await legacy("tools/call", { name: "ciq_execute", arguments: [] }))).toEqual([
      200, -32602,
    ]);
  });

  it("a session is needed, and is its owner's alone, in its project alone", async () => {
    const status = async (calling: Calling, projectId = cars.projectId) =>
      (await legacyCall(projectId, "tools/list", undefined, { token: ann, ...calling })).status;
    expect(await status({})).toBe(400);
    expect(await status({ session: "00000000-0000-4000-8000-000000000000" })).toBe(404);
    expect(await status({ session: "nonsense" })).toBe(404);
    expect(await status({ session, token: bob })).toBe(404);
    const elsewhere = await other.issuer.sign("ann");
    expect(await status({ session, token: elsewhere }, other.projectId)).toBe(404);
    expect(await status({ session })).toBe(200);
    const again = await callMcp(cars.projectId, initialize(), { token: ann, session });
    expect([again.status, (again as RpcAnswer).body.error?.code]).toEqual([400, -32600]);
  });

  it("DELETE ends it", async () => {
    const own = await openSession(cars.projectId, ann);
    const end = (token: string) =>
      send(mcpPath(cars.projectId), {
        method: "DELETE",
        headers: { Authorization: `Bearer ${token}`, "Mcp-Session-Id": own },
      });
    expect((await end(bob)).status).toBe(404);
    expect((await end(ann)).status).toBe(200);
    expect((await end(ann)).status).toBe(404);
    expect((await legacy("ping", undefined, { session: own })).status).toBe(404);
  });

  it("GET of a session has no stream to give", async () => {
    const get = (headers: Record<string, string>) =>
      send(mcpPath(cars.projectId), {
        headers: { Accept: "text/event-stream", Authorization: `Bearer ${ann}`, ...headers },
      });
    const answer = await get({ "Mcp-Session-Id": session });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST, DELETE"]);
    expect((await get({ "Mcp-Session-Id": "unknown" })).status).toBe(404);
  });

  it("a version that is not served is refused, none is the session's", async () => {
    const of = (version: string) =>
      legacy("ping", undefined, { headers: { "MCP-Protocol-Version": version } });
    expect((await of("2020-01-01")).status).toBe(400);
    expect((await of("2025-06-18")).status).toBe(200);
    const message = { jsonrpc: "2.0", id: 1, method: "ping" };
    expect((await callMcp(cars.projectId, message, { token: ann, session })).status).toBe(200);
  });

  it("ping is answered, what is not offered is not found", async () => {
    expect((await legacy("ping")).body).toMatchObject({ result: {} });
    for (const method of [
      "prompts/list",
      "completion/complete",
      "logging/setLevel",
      "resources/subscribe",
      "tasks/list",
      "server/discover",
      "subscriptions/listen",
    ])
      expect(errorOf(await legacy(method, {}))).toEqual([200, -32601]);
  });

  it("takes a client that accepts JSON alone, not one that accepts neither", async () => {
    const accepting = async (Accept: string) =>
      (await legacy("ping", undefined, { headers: { Accept } })).status;
    expect(await accepting("application/json")).toBe(200);
    expect(await accepting("*/*")).toBe(200);
    expect(await accepting("text/html")).toBe(406);
  });
});

describe("the revision 2026-07-28", () => {
  const lasting = { resultType: "complete", cacheScope: "private" };

  it("server/discover says what there is", async () => {
    const { status, headers, body } = await modern("server/discover");
    expect([status, headers.get("mcp-session-id"), headers.get("cache-control")]).toEqual([
      200,
      null,
      "no-store",
    ]);
    expect(body.result).toEqual({
      ...lasting,
      ttlMs: 3_600_000,
      supportedVersions: ["2026-07-28"],
      capabilities: { tools: { listChanged: false }, resources: { listChanged: true } },
      instructions: expect.any(String),
      _meta: { "io.modelcontextprotocol/serverInfo": expect.objectContaining({ name: "ikg" }) },
    });
  });

  it("every result says what it is and how long it holds, and no answer has a session", async () => {
    const uri = "ikg://knowledge-queries/slow-cars";
    const expected = [
      [await modern("tools/list"), 300_000],
      [await modern("resources/list"), 30_000],
      [await modern("resources/templates/list"), 3_600_000],
      [await modern("resources/read", { uri }), 30_000],
    ] as const;
    for (const [{ body, headers }, ttlMs] of expected) {
      expect(body.result).toMatchObject({ ...lasting, ttlMs });
      expect(headers.get("mcp-session-id")).toBeNull();
    }
    const call = await modern(
      "tools/call",
      { name: "authzen_evaluate", arguments: driveRed },
      { "Mcp-Session-Id": session },
    );
    expect(call.body.result).toMatchObject({ resultType: "complete", ...decided(true) });
    expect(call.headers.get("mcp-session-id")).toBeNull();
    const query = { name: "ciq_execute", arguments: { id: "slow-cars", input_params: { limit: 100 } } };
    expect((await modern("tools/call", query)).body.result).toMatchObject(
      rows({ "car.external_id": "red", "car.property.colour": "red" }),
    );
  });

  it("headers that mirror the message must be there and agree", async () => {
    const call = { name: "authzen_evaluate", arguments: driveRed };
    for (const [name, wrong] of [
      ["MCP-Protocol-Version", "2025-11-25"],
      ["Mcp-Method", "tools/list"],
      ["Mcp-Name", "ciq_execute"],
    ] as const) {
      expect(errorOf(await modern("tools/call", call, { [name]: null }))).toEqual([400, -32020]);
      expect(errorOf(await modern("tools/call", call, { [name]: wrong }))).toEqual([400, -32020]);
    }
    const uri = "ikg://knowledge-queries/slow-cars";
    const encoded = (text: string) => `=?base64?${Buffer.from(text).toString("base64")}?=`;
    expect((await modern("resources/read", { uri }, { "Mcp-Name": encoded(uri) })).status).toBe(200);
    expect(errorOf(await modern("resources/read", { uri }, { "Mcp-Name": encoded(`${uri}x`) }))).toEqual([
      400, -32020,
    ]);
  });

  it("a message says its version and what its client can, its name it need not", async () => {
    const without = (key: string) => {
      const { [`io.modelcontextprotocol/${key}`]: _left, ...rest } = meta() as Record<string, unknown>;
      return modern("tools/list", { _meta: rest });
    };
    expect(errorOf(await without("clientCapabilities"))).toEqual([400, -32602]);
    expect(errorOf(await without("protocolVersion"))).toEqual([400, -32602]);
    expect(errorOf(await modern("tools/list", { _meta: undefined }))).toEqual([400, -32602]);
    expect((await without("clientInfo")).status).toBe(200);
  });

  it("another version is refused with those that are served", async () => {
    const version = "2027-01-01";
    const answer = await modern(
      "tools/list",
      { _meta: meta({ "io.modelcontextprotocol/protocolVersion": version }) },
      { "MCP-Protocol-Version": version },
    );
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({
      code: -32022,
      data: { supported: ["2026-07-28"], requested: version },
    });
  });

  it("what is gone or unknown is 404 with the id of the request", async () => {
    for (const method of [
      "initialize",
      "ping",
      "logging/setLevel",
      "resources/subscribe",
      "prompts/list",
      "x/y",
    ]) {
      const answer = await modern(method);
      expect(errorOf(answer)).toEqual([404, -32601]);
      expect(answer.body.id).toEqual(expect.any(Number));
    }
    const unknown = await modern("resources/read", { uri: "ikg://nothing" });
    expect(unknown.status).toBe(200);
    expect(unknown.body.error).toMatchObject({ code: -32602, data: { uri: "ikg://nothing" } });
    expect(errorOf(await modern("tools/call", { name: "nothing", arguments: {} }))).toEqual([200, -32602]);
  });

  it("a stream acknowledges first, and tells that the list of resources has changed", async () => {
    const ending = new AbortController();
    const response = await fetch(`${environment().base_url}${mcpPath(cars.projectId)}`, {
      method: "POST",
      signal: ending.signal,
      headers: {
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
        Authorization: `Bearer ${ann}`,
        "MCP-Protocol-Version": "2026-07-28",
        "Mcp-Method": "subscriptions/listen",
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: "listening",
        method: "subscriptions/listen",
        params: { _meta: meta(), notifications: { resourcesListChanged: true, toolsListChanged: true } },
      }),
    });
    expect(response.headers.get("content-type")).toMatch(/^text\/event-stream/);
    expect(response.headers.get("x-accel-buffering")).toBe("no");
    const events: { method: string; params: Record<string, unknown> }[] = [];
    const reading = (async () => {
      let text = "";
      const decoder = new TextDecoder();
      // fetch gives bytes.
      for await (const bytes of response.body as AsyncIterable<Uint8Array>) {
        text += decoder.decode(bytes, { stream: true });
        for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
          const data = /^data: (.*)$/m.exec(text.slice(0, end))?.[1];
          if (data !== undefined) events.push(JSON.parse(data) as (typeof events)[number]);
          text = text.slice(end + 2);
        }
      }
    })().catch(() => undefined);
    const subscription = { "io.modelcontextprotocol/subscriptionId": "listening" };
    await eventually(
      async () => events.length,
      (count) => count === 1,
    );
    expect(events[0]).toMatchObject({
      method: "notifications/subscriptions/acknowledged",
      params: { notifications: { resourcesListChanged: true }, _meta: subscription },
    });
    const description = { policy_id: undefined, status: "INACTIVE" };
    const stored = await configs(`/knowledge-queries/${cars.otherQueryId}`);
    const { policy_id, query } = stored.body as Record<string, unknown>;
    const put = (status: string) =>
      configs(`/knowledge-queries/${cars.otherQueryId}`, {
        method: "PUT",
        json: { ...description, policy_id, query, status },
      });
    expect((await put("INACTIVE")).status).toBe(200);
    await eventually(
      async () => events.length,
      (count) => count === 2,
    );
    expect(events[1]).toMatchObject({
      method: "notifications/resources/list_changed",
      params: { _meta: subscription },
    });
    const { resources } = (await modern("resources/list")).body.result as { resources: object[] };
    expect(resources).toHaveLength(1);
    expect((await put("ACTIVE")).status).toBe(200);
    await eventually(
      async () => events.length,
      (count) => count === 3,
    );
    ending.abort();
    await reading;
  });
});

describe("both revisions", () => {
  const metadataPath = () => `/.well-known/oauth-protected-resource${mcpPath(cars.projectId)}`;

  it("refuse foreign origins, and foreign names of this machine", async () => {
    const from = async (headers: Record<string, string>) =>
      (await callMcp(cars.projectId, initialize(), { token: ann, headers })).status;
    for (const Origin of ["https://evil.example", "null", "nonsense"])
      expect(await from({ Origin })).toBe(403);
    expect(await from({ Origin: "http://localhost:6274" })).toBe(200);
    const own = await callMcp(cars.projectId, initialize(), {
      token: ann,
      headers: { Origin: "http://localhost:6274" },
    });
    expect(own.headers.get("access-control-allow-origin")).toBe("http://localhost:6274");
    expect(own.headers.get("access-control-expose-headers")).toContain("Mcp-Session-Id");
    // A service that listens for other machines too stands behind names of its operator's, which it cannot know.
    const fits = await underName(new URL(environment().base_url).host);
    expect(await underName("evil.example")).toBe(onThisMachine() ? 403 : fits);
    expect(fits).not.toBe(403);
  });

  it("tell a page that may call what it may send, before it has a token", async () => {
    const ask = (Origin: string) =>
      send(mcpPath(cars.projectId), {
        method: "OPTIONS",
        headers: { Origin, "Access-Control-Request-Method": "POST" },
      });
    const may = await ask("http://localhost:6274");
    expect([may.status, may.headers.get("access-control-allow-headers")]).toEqual([
      204,
      expect.stringMatching(/Authorization.*MCP-Protocol-Version.*Mcp-Session-Id/),
    ]);
    expect((await ask("https://evil.example")).status).toBe(403);
    const document = await send(metadataPath(), {
      method: "OPTIONS",
      headers: { Origin: "https://any.example" },
    });
    expect([document.status, document.headers.get("access-control-allow-origin")]).toEqual([204, "*"]);
  });

  it("want a token, and say where to get one", async () => {
    const none = await callMcp(cars.projectId, initialize());
    expect(none.status).toBe(401);
    const challenge = none.headers.get("www-authenticate") ?? "";
    expect(challenge).toBe(
      `Bearer resource_metadata="${environment().base_url}${metadataPath()}", scope="cars people"`,
    );
    const url = /resource_metadata="([^"]+)"/.exec(challenge)?.[1] ?? "";
    const document = await fetch(url);
    expect([document.status, document.headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
    const metadata = await document.json();
    expect(metadata).toEqual({
      resource: `${environment().base_url}${mcpPath(cars.projectId)}`,
      authorization_servers: [cars.issuer.issuer],
      scopes_supported: ["cars", "people"],
      bearer_methods_supported: ["header"],
      resource_name: "Cars",
    });
    expect(none.body).toMatchObject(metadata as object);
    expect(none.body).not.toHaveProperty("error");
    const below = await send(`${mcpPath(cars.projectId)}/.well-known/oauth-protected-resource`);
    expect(below.body).toEqual(metadata);
    expect((await send("/.well-known/oauth-protected-resource")).status).toBe(404);
    const basic = await callMcp(cars.projectId, initialize(), { headers: { Authorization: "Basic eDp5" } });
    expect([basic.status, basic.headers.get("www-authenticate")]).toEqual([401, challenge]);
    const get = await send(mcpPath(cars.projectId));
    expect(get.status).toBe(401);
  });

  it("refuse a token of another audience, another issuer, or past its time", async () => {
    const now = Math.floor(Date.now() / 1000);
    const refused = await Promise.all([
      cars.issuer.sign("ann", { aud: "somebody" }),
      other.issuer.sign("ann"),
      cars.issuer.sign("ann", { exp: now - 120 }),
      Promise.resolve("opaque"),
    ]);
    for (const token of refused) {
      const answer = await callMcp(cars.projectId, initialize(), { token });
      expect([answer.status, answer.body]).toEqual([
        401,
        expect.objectContaining({ error: "invalid_token" }),
      ]);
      expect(answer.headers.get("www-authenticate")).toMatch(
        /^Bearer error="invalid_token", error_description="[^"]+", resource_metadata="[^"]+", scope="cars people"$/,
      );
      expect((await modernCall(cars.projectId, "tools/list", {}, { token })).status).toBe(401);
    }
    const twice = await sendRaw({
      method: "POST",
      path: mcpPath(cars.projectId),
      headers: ["Authorization", `Bearer ${ann}`, "Authorization", `Bearer ${ann}`],
      body: Buffer.from("{}"),
    });
    expect([twice.status, twice.headers.get("www-authenticate")]).toEqual([
      400,
      expect.stringMatching(/^Bearer error="invalid_request", resource_metadata="/),
    ]);
    const empty = await sendRaw({
      method: "POST",
      path: mcpPath(cars.projectId),
      headers: ["Authorization", "Bearer "],
      body: Buffer.from("{}"),
    });
    expect([empty.status, empty.body]).toEqual([
      400,
      expect.objectContaining({ errors: ["Authorization: no token after Bearer"] }),
    ]);
  });

  it("are not there for a project that is unknown, has no server, or has switched it off", async () => {
    const without = await createTenant("mcp-none");
    const off = await createMcpTenant("mcp-off", { enabled: false });
    try {
      const answers = [];
      for (const gid of ["gid:AAAAAgGQAAAAAHAAgAAAAAAAAAE", "nonsense", without.projectId, off.projectId]) {
        answers.push(await callMcp(gid, initialize()));
        answers.push(await send(`/.well-known/oauth-protected-resource${mcpPath(gid)}`));
      }
      for (const { status, body } of answers) expect([status, body]).toEqual([404, { message: "Not Found" }]);
    } finally {
      await without.remove();
      await off.remove();
    }
  });

  it("want scopes where the deployment says so", async () => {
    const beside = await startMcpBeside({
      MCP_REQUIRED_SCOPES: "cars",
      MCP_REQUIRED_SCOPES_CIQ_EXECUTE: "people",
    });
    try {
      const { base } = beside;
      const missing = await callMcp(cars.projectId, initialize(), { token: ann, base });
      expect([missing.status, missing.body]).toEqual([
        403,
        expect.objectContaining({ error: "insufficient_scope" }),
      ]);
      expect(missing.headers.get("www-authenticate")).toMatch(
        /^Bearer error="insufficient_scope", scope="cars", resource_metadata="[^"]+", error_description="/,
      );
      const token = await cars.issuer.sign("ann", { scope: "openid cars" });
      const own = await openSession(cars.projectId, token, base);
      const call = (name: string, by: string) =>
        legacyCall(cars.projectId, "tools/call", { name, arguments: {} }, { token: by, session: own, base });
      expect((await call("authzen_evaluate", token)).status).toBe(200);
      const more = await call("ciq_execute", token);
      expect(more.status).toBe(403);
      expect(more.headers.get("www-authenticate")).toContain('scope="cars people"');
      const both = await cars.issuer.sign("ann", { scp: ["cars", "people"] });
      expect((await call("ciq_execute", both)).status).toBe(200);
    } finally {
      await beside.stop();
    }
  });

  it("refuse what is no message", async () => {
    const raw = async (text: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) => {
      const answer = (await callMcp(cars.projectId, undefined, {
        token: ann,
        session,
        raw: text,
        headers,
      })) as RpcAnswer;
      return [answer.status, answer.body?.error?.code];
    };
    expect(await raw("{")).toEqual([400, -32700]);
    expect(await raw("")).toEqual([400, -32700]);
    expect(await raw(new Uint8Array([0x22, 0xff, 0x22]))).toEqual([400, -32700]);
    for (const text of [
      "[]",
      '[{"jsonrpc":"2.0","id":1,"method":"ping"}]',
      "7",
      "null",
      '{"jsonrpc":"1.0","id":1,"method":"ping"}',
      '{"jsonrpc":"2.0","id":null,"method":"ping"}',
      '{"jsonrpc":"2.0","id":1.5,"method":"ping"}',
      '{"jsonrpc":"2.0","id":1}',
      "[".repeat(1_000) + "]".repeat(1_000),
    ])
      expect(await raw(text)).toEqual([400, -32600]);
    expect((await raw("{}", { "Content-Type": "text/plain" }))[0]).toBe(415);
  });

  it("know a project by its gid raw and percent-encoded", async () => {
    const encoded = encodeURIComponent(cars.projectId);
    for (const gid of [cars.projectId, encoded]) {
      expect((await callMcp(gid, initialize(), { token: ann })).status).toBe(200);
      const document = await send(`/.well-known/oauth-protected-resource${mcpPath(gid)}`);
      expect(document.body).toMatchObject({ resource: `${environment().base_url}${mcpPath(gid)}` });
    }
    expect(await deleteAndMake()).toBe(true);
  });

  /** A server that is removed is gone within two seconds, also for whoever has a session. */
  const deleteAndMake = async (): Promise<boolean> => {
    const { issuer, projectId, agentId, serverId } = other;
    const token = await issuer.sign("ann");
    const own = await openSession(projectId, token);
    const status = async () =>
      (await legacyCall(projectId, "ping", undefined, { token, session: own })).status;
    expect(await status()).toBe(200);
    await deleteRecord("mcp-servers", serverId);
    await eventually(status, (found) => found === 404);
    await createRecord("mcp-servers", {
      name: "again",
      project_id: projectId,
      app_agent_id: agentId,
      token_introspect_id: issuer.introspectId,
      enabled: true,
      scopes_supported: ["cars"],
    });
    await takeEffect();
    await eventually(status, (found) => found === 200);
    return true;
  };
});
