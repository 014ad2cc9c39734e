import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { cars, ann, evaluate, listen, useMcpProject } from "../../src/fixtures/mcp-project.ts";
import { startGatewayBefore, startMcp } from "../../src/mcp/mcp-beside.ts";
import { callMcp, driveRed, legacyCall, openSession } from "../../src/mcp/mcp.ts";
import { type Process, startBeside } from "../../src/suites/start-beside.ts";

useMcpProject();

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

  it("a stream receives its result when its replica stops, and the replica stops at once", async () => {
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

  it("the tool reports an unavailable service; the endpoint stays up", async () => {
    const session = await openSession(cars.projectId, ann, at(gateway));
    const unavailable = {
      content: [{ type: "text", text: JSON.stringify({ status: 503, message: "temporarily unavailable" }) }],
      isError: true,
    };
    const query = { id: "slow-cars", input_params: { limit: 1 } };
    expect((await toolOf(session, "ciq_execute", query)).body.result).toEqual(unavailable);
    await access.stop();
    expect((await toolOf(session, "authzen_evaluate", driveRed)).body.result).toEqual(unavailable);
    expect((await call(session, "resources/list", undefined, at(gateway))).status).toBe(200);
    access = await startBeside("access", { DRAIN_DELAY_MS: "0" });
  });
});
