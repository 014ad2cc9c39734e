import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { environment } from "../../src/environment.ts";
import { cars, ann, evaluate, listen, useMcpProject } from "../../src/fixtures/mcp-project.ts";
import { startMcp, startMcpBeside } from "../../src/mcp/mcp-beside.ts";
import {
  callMcp,
  driveRed,
  initialize,
  legacyCall,
  mcpPath,
  mcpUrl,
  modernCall,
  openSession,
} from "../../src/mcp/mcp.ts";

useMcpProject();

describe("hostile callers", () => {
  it("cost no memory that stays", async () => {
    // So little room that what is not let go of shows, or ends the process.
    const NODE_OPTIONS = "--max-old-space-size=64";
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
      // Streams that are not read, sessions that are not ended, bodies that are too large, tokens that are none.
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
    const open = async (): Promise<string> => {
      const { status, headers } = await callMcp(cars.projectId, initialize(), { token: cat });
      expect(status).toBe(200);
      return headers.get("mcp-session-id") ?? "";
    };
    // Until it was accepted once, a token may be sent fifty times a second.
    const first = await open();
    const sessions = [first, ...(await Promise.all(Array.from({ length: 99 }, open)))];
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
    // Each process has its own, and the caller does not choose the process.
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

  it("nothing of an inner context that a caller makes up is accepted", async () => {
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
