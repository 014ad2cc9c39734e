import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { environment } from "../../src/environment.ts";
import { long } from "../../src/long.ts";
import { createMcpTenant, mcpPath, type McpTenant } from "../../src/mcp/mcp.ts";

/** The protocol's own conformance command, scenario by scenario. It knows no tokens: what stands between adds one. */
let cars: McpTenant;
let between: Server;
let url: string;

// The package has a command and nothing to import.
const program = join(
  import.meta.dirname,
  "../../node_modules/@modelcontextprotocol/conformance/dist/index.js",
);

beforeAll(async () => {
  cars = await createMcpTenant("mcp-conformance");
  const exp = Math.floor(Date.now() / 1000) + 1_800;
  const authorization = `Bearer ${await cars.issuer.sign("ann", { exp })}`;
  const { hostname, port } = new URL(environment().base_url);
  const path = mcpPath(cars.projectId);
  between = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization };
    const upstream = request({ hostname, port, path, method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    upstream.once("error", () => outgoing.destroy());
    outgoing.once("close", () => upstream.destroy());
    incoming.pipe(upstream);
  });
  between.listen(0, "127.0.0.1");
  await once(between, "listening");
  url = `http://127.0.0.1:${(between.address() as AddressInfo).port}/mcp`; // of TCP
});
afterAll(async () => {
  between?.closeAllConnections();
  between?.close();
  await cars?.remove();
});

interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

const checksIn = (folder: string): readonly Check[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith("checks.json"))
    .flatMap((name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as Check[]); // written by the command

/** Checks of one scenario; it ends with a code other than 0 when one fails. */
const checksOf = async (scenario: string, version: string): Promise<readonly Check[]> => {
  const folder = mkdtempSync(join(tmpdir(), "ikg-conformance-"));
  try {
    const args = ["server", "--url", url, "--scenario", scenario, "--spec-version", version, "-o", folder];
    const errors = await new Promise<string>((resolve) => {
      execFile(process.execPath, [program, ...args], { cwd: folder }, (_, __, stderr) => resolve(stderr));
    });
    const checks = checksIn(folder);
    if (checks.length === 0) throw new Error(`the command wrote no checks: ${errors}`);
    return checks;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/**
 * What cannot pass, by check: the command wants tools of its own (`test_missing_capability`, `test_logging_tool`,
 * `test_streaming_elicitation`) that only a server made for it has, or prompts, which are not offered.
 */
const notApplicable = new Set([
  "sep-2575-server-rejects-undeclared-capability",
  "sep-2575-missing-capability-http-400",
  "sep-2575-http-server-no-independent-requests-on-stream",
  "sep-2575-server-no-log-without-loglevel",
  "sep-2549-prompts-list-caching-hints",
]);

const sessions = ["server-session-lifecycle"];
const stateless = ["server-stateless"];
const scenarios: readonly (readonly [version: string, scenario: string])[] = [
  ...long(sessions, [
    ...sessions,
    "server-initialize",
    "ping",
    "tools-list",
    "resources-list",
    "server-sse-multiple-streams",
    "dns-rebinding-protection",
  ]).map((scenario) => ["2025-11-25", scenario] as const),
  ...long(stateless, [
    ...stateless,
    "tools-list",
    "resources-list",
    "sep-2164-resource-not-found",
    "server-sse-multiple-streams",
    "dns-rebinding-protection",
    "caching",
    "http-header-validation",
    "input-required-result-unsupported-methods",
    "input-required-result-ignore-extra-params",
  ]).map((scenario) => ["2026-07-28", scenario] as const),
];

describe("the conformance command finds nothing", () => {
  it.each(scenarios)("in %s: %s", async (version, scenario) => {
    const checks = await checksOf(scenario, version);
    expect(checks.filter(({ status }) => status === "SUCCESS")).not.toHaveLength(0);
    const failed = checks.filter(({ id, status }) => status === "FAILURE" && !notApplicable.has(id));
    expect(failed.map(({ id, errorMessage }) => [id, errorMessage])).toEqual([]);
  });
});
