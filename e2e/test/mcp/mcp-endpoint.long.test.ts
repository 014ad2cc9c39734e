import { describe, expect, it } from "@jest/globals";
import { ann, cars, useMcpServers } from "../../src/fixtures/mcp-servers.ts";
import { startMcpBeside } from "../../src/mcp/mcp-beside.ts";
import { callMcp, initialize, legacyCall, openSession } from "../../src/mcp/mcp.ts";

useMcpServers();

describe("both revisions", () => {
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
});
