import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { printTo } from "../../../stack/launch/progress.mjs";
import { openIssuer } from "../../../stack/src/demo/issuer.ts";
import { runDemo } from "../../../stack/src/demo/run.ts";
import { environment } from "../../src/environment.ts";
import { mcpUrl } from "../../src/mcp/mcp.ts";
import { openAdmin } from "../../src/requests/clients.ts";

/** The demo of `npm start`, loaded into the suite of the tests. */
const home = mkdtempSync(join(tmpdir(), "ikg-demo-"));
const output: string[] = [];
let projectId: string;
const demoEnvironment = () => ({ ...environment(), mcp_url: environment().base_url });

beforeAll(async () => {
  printTo((line) => void output.push(line));
  await runDemo(demoEnvironment(), home);
  ({ id: projectId } = await openAdmin().projects.get("film-archive"));
}, 240_000);
afterAll(async () => {
  if (projectId) await openAdmin().projects.delete(projectId);
  rmSync(home, { recursive: true, force: true });
});

/** What an agent reads about a query: which tool takes it, under which id, with which parameters, and for whom. */
const toolInstruction =
  /Call the tool (\w+) with id "([^"]+)" and (?:no input_params|input_params: ([\w, ]+))\./;

describe("the demo", () => {
  it("prints lines that answer when they are pasted", () => {
    const answers = output
      .filter((line) => line.startsWith("curl "))
      .map((line): unknown => JSON.parse(execFileSync("bash", ["-c", line], { encoding: "utf8" })));
    const reels = { data: expect.arrayContaining([expect.objectContaining({ nodes: expect.anything() })]) };
    expect(answers).toEqual([
      { decision: true },
      reels,
      expect.objectContaining({ result: expect.objectContaining({ structuredContent: reels }) }),
    ]);
  });

  it("is found once more, with everything in it, by the next start", async () => {
    const before = output.length;
    await runDemo(demoEnvironment(), home);
    expect(output.slice(before).join("\n")).toContain("project film-archive found");
  }, 120_000);

  it("tells a model that knows nothing of it how to ask, by its lists alone", async () => {
    const issuer = await openIssuer(join(home, "demo", "issuer.json"));
    const token = await issuer.sign({ sub: "noor", scope: "reel:read" });
    const client = new Client({ name: "e2e", version: "1" }, { versionNegotiation: { mode: "auto" } });
    await client.connect(
      new StreamableHTTPClientTransport(mcpUrl(projectId), {
        requestInit: { headers: { Authorization: `Bearer ${token}` } },
      }),
    );
    const { tools } = await client.listTools();
    const { resources } = await client.listResources();
    expect(resources.length).toBeGreaterThan(3);
    const rows: Readonly<Record<string, unknown>>[] = [];
    for (const { description = "" } of resources) {
      const [, name = "", id = "", params = ""] = toolInstruction.exec(description) ?? [];
      const names = params === "" ? [] : params.split(", ");
      const inputs = names.length === 0 ? {} : { input_params: Object.fromEntries(names.map((n) => [n, 1])) };
      const { structuredContent, isError } = await client.callTool({ name, arguments: { id, ...inputs } });
      expect([id, isError ?? false]).toEqual([id, false]);
      const { data } = structuredContent as { data: { nodes: Record<string, unknown> }[] }; // its output schema
      expect([id, data.length > 0]).toEqual([id, true]);
      rows.push(...data.map(({ nodes }) => nodes));
    }
    // What a row named can be asked about: the other tool says by its schema what it wants to know.
    const asks = ["resource_type", "resource_id", "action_name"];
    const decide = tools.find(({ inputSchema, description = "" }) =>
      asks.every((each) => inputSchema.properties?.[each] !== undefined && description.includes(each)),
    );
    const reels = [...new Set(rows.map((row) => row["reel.external_id"]).filter((id) => id !== undefined))];
    const decisions = await Promise.all(
      reels.map((id) =>
        client.callTool({
          name: decide?.name ?? "",
          arguments: { resource_type: "Reel", resource_id: id, action_name: "HANDLE" },
        }),
      ),
    );
    const answers = decisions.map(({ structuredContent }) => structuredContent);
    expect(answers).toContainEqual({ decision: true });
    expect(answers).toContainEqual({ decision: false });
    await client.close();
  }, 60_000);
});
