import { describe, expect, it } from "@jest/globals";
import { modern, session, useCars } from "../../src/fixtures/mcp-cars.ts";
import { decided, errorOf, rows } from "../../src/fixtures/mcp-projects.ts";
import { driveRed, meta } from "../../src/mcp/mcp.ts";

useCars();

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
});
