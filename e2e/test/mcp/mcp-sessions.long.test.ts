import { describe, expect, it } from "@jest/globals";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import {
  cars,
  other,
  ann,
  bob,
  session,
  legacy,
  decided,
  rows,
  errorOf,
  toolError,
  useMcpProjects,
} from "../../src/fixtures/mcp-projects.ts";
import {
  callMcp,
  type Calling,
  driveRed,
  initialize,
  legacyCall,
  mcpPath,
  openSession,
  type RpcAnswer,
} from "../../src/mcp/mcp.ts";
import { configs } from "../../src/requests/configs.ts";
import { must } from "../../src/requests/must.ts";
import { send } from "../../src/requests/send.ts";

useMcpProjects();

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
  ])("initialize with %s is answered with %s", async (clientVersion, serverVersion) => {
    const { body } = (await callMcp(cars.projectId, initialize(clientVersion), { token: ann })) as RpcAnswer;
    expect(body.result).toMatchObject({ protocolVersion: serverVersion });
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
    expect(toolError(await call("authzen_evaluate", { resource_type: 7 }))).toMatchObject({ status: 400 });
    expect(toolError(await call("authzen_evaluate", { subject_id: "ann", resource_type: "Car" }))).toEqual({
      status: 400,
      message: expect.any(String),
      errors: ["subject_type: required", "resource_id: required", "action_name: required"],
    });
    expect(toolError(await call("authzen_evaluate", { ...driveRed, action_name: "RACE" }))).toMatchObject({
      status: 422,
      errors: [expect.stringContaining("limit")],
    });
    expect(toolError(await call("ciq_execute", {}))).toMatchObject({
      status: 400,
      errors: [expect.stringMatching(/^id: /)],
    });
    expect(toolError(await call("ciq_execute", { id: "no-such-query" }))).toMatchObject({ status: 404 });
    expect(toolError(await call("ciq_execute", { id: "slow-cars" }))).toMatchObject({ status: 422 });
    expect(toolError(await call("ciq_execute", { id: "slow-cars", page_size: 5_000 }))).toMatchObject({
      status: 400,
    });
    const mismatch = { ...driveRed, action_name: "WATCH", subject_type: "Person", subject_id: "bob" };
    expect(toolError(await call("authzen_evaluate", mismatch))).toMatchObject({ status: 403 });
  });

  it("a policy that wants a fresh sign-in answers with its challenge", async () => {
    const args = { id: "own-cars-lately" };
    const answer = await legacy("tools/call", { name: "ciq_execute", arguments: args });
    expect(toolError(answer)).toMatchObject({
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
    expect(toolError(await call("tools/call", explained))).toMatchObject({ status: 403 });
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

describe("the limits of a project", () => {
  const limit = async (limits: object): Promise<void> =>
    void must(await configs(`/projects/${other.projectId}`, { method: "PUT", json: { limits } }), 200);

  it("bound its sessions and its requests in a second", async () => {
    const [carl, dora] = await Promise.all([other.issuer.sign("carl"), other.issuer.sign("dora")]);
    await openSession(other.projectId, carl);
    await limit({ sessions: 1 });
    const open = () => callMcp(other.projectId, initialize(), { token: dora });
    const refused = await eventually(open, ({ status }) => status === 429);
    expect(JSON.parse(refused.text)).toEqual({
      message: "Too Many Requests",
      errors: ["sessions: the project has 1 open sessions (limit sessions, 1)"],
    });
    await limit({ requests_per_second: 2 });
    const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
    const burst = () =>
      Promise.all(Array.from({ length: 10 }, () => callMcp(other.projectId, ping, { token: carl })));
    const answers = await eventually(burst, (found) => found.some(({ status }) => status === 429));
    expect(JSON.parse(answers.find(({ status }) => status === 429)?.text ?? "")).toEqual({
      message: "Too Many Requests",
      errors: [
        "requests_per_second: at most 2 requests of the project in a second (limit requests_per_second, 2)",
      ],
    });
    await limit({});
  });
});
