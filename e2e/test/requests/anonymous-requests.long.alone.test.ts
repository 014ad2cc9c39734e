import { randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { newGid } from "@ikg/contracts";
import { createAgent } from "../../src/configuration/create-agent.ts";
import { createMcpTenant, type McpTenant, mcpPath } from "../../src/mcp/mcp.ts";
import { auditRecordsWith } from "../../src/requests/audit-records.ts";
import { send } from "../../src/requests/send.ts";
import { type OwnSuite, startOwnSuite } from "../../src/suites/own-suite.ts";

/** The database work of a request without a credential. */
let suite: OwnSuite;
let cars: McpTenant;

beforeAll(async () => {
  suite = await startOwnSuite({ RATE_LIMIT_ANONYMOUS_PER_SECOND: "0", AUDIT_REFUSAL_SECONDS: "3" });
  cars = await createMcpTenant("anonymous");
}, 300_000);
afterAll(async () => {
  await cars?.remove();
  await suite?.close();
}, 60_000);

/**
 * Statements that the services which answer a path have sent so far. Audit stores records whether it is asked or not: its
 * statements count for its own paths.
 */
const statements = async (path: string): Promise<number> => {
  const services = ["gateway", path.startsWith("/audit/") ? "audit" : "mcp"] as const;
  const texts = await Promise.all(services.map((name) => suite.metrics(name)));
  return texts
    .flatMap((text) => [...text.matchAll(/^ikg_statement_duration_seconds_count\S* (\d+)$/gm)])
    .reduce((sum, [, count]) => sum + Number(count), 0);
};

const requests = 200;
/** Projects and refused credentials are read anew now and then. */
const asides = 50;

/** A credential of the right form that does not exist. */
const invented = (prefix: string): string => {
  const body = `${prefix}_${randomBytes(8).toString("hex")}_${randomBytes(32).toString("base64url")}`;
  return `${body}_${crc32(body).toString(16).padStart(8, "0")}`;
};
const unknownProject = newGid("project");
const forged = ["e30", "e30", "e30"].join(".");
const cases: readonly (readonly [string, () => string, Record<string, string>, number])[] = [
  ["an endpoint without a token", () => mcpPath(cars.projectId), {}, 401],
  [
    "an endpoint with an invented token",
    () => mcpPath(cars.projectId),
    { authorization: `Bearer ${forged}` },
    401,
  ],
  ["the endpoint of a project that is none", () => mcpPath(unknownProject), {}, 404],
  [
    "the metadata of an endpoint",
    () => `${mcpPath(cars.projectId)}/.well-known/oauth-protected-resource`,
    {},
    200,
  ],
  [
    "the metadata of a project that is none",
    () => `/.well-known/oauth-protected-resource${mcpPath(unknownProject)}`,
    {},
    404,
  ],
  ["the metadata of the installation", () => "/.well-known/authzen-configuration", {}, 200],
  ["a path that is none", () => "/nothing", {}, 404],
  ["a key that is none", () => "/data-schema/v1", { "x-svc-clientkey": invented("ak1") }, 401],
  [
    "a token of an account that is none",
    () => "/configs/v1/projects",
    { authorization: `Bearer ${invented("sa1")}` },
    401,
  ],
  ["the keys of a chain", () => `/audit/.well-known/jwks.json?project_id=${cars.projectId}`, {}, 200],
  [
    "the keys of a chain that is none",
    () => `/audit/.well-known/jwks.json?project_id=${unknownProject}`,
    {},
    200,
  ],
  ["readiness", () => "/readyz", {}, 200],
];

describe("the database is not asked for each request to", () => {
  it.each(cases)("%s", async (_name, path, headers, status) => {
    const before = await statements(path());
    // One after the other: what requests at the same moment share protects from no caller who waits.
    for (let sent = 0; sent < requests; sent++) expect((await send(path(), { headers })).status).toBe(status);
    expect((await statements(path())) - before).toBeLessThan(asides);
  });

  it("the keys of a chain, by callers at the same moment: an answer is never older than its question", async () => {
    const path = `/audit/.well-known/jwks.json?project_id=${cars.projectId}`;
    const before = await statements(path);
    for (let sent = 0; sent < requests; sent += 20) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => send(path)));
      expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    }
    expect((await statements(path)) - before).toBeLessThan(asides);
  });
});

it("invented tokens at /mcp leave one record at once, and one for all that follow", async () => {
  const auditor = await createAgent(cars.applicationId, ["Audit"]);
  const isRefused = ({ data }: { readonly data: Readonly<Record<string, unknown>> }) =>
    data["result"] === "refused";
  const countOf = ({ data }: { readonly data: Readonly<Record<string, unknown>> }) =>
    Number(data["count"] ?? 1);
  const token = `Bearer ${["e30", "e31", "e30"].join(".")}`;
  const began = new Date().toISOString();
  for (let sent = 0; sent < 100; sent++)
    await send(mcpPath(cars.projectId), { headers: { authorization: token }, json: {} });
  // Those of the test before are among them.
  const total = 100 + requests;
  const records = await auditRecordsWith(cars.projectId, auditor, (found) => {
    const sum = found.filter(isRefused).reduce((before, each) => before + countOf(each), 0);
    return sum >= total ? [] : [`${sum} of ${total}`];
  });
  const refused = records.filter(isRefused);
  expect(refused.reduce((before, each) => before + countOf(each), 0)).toBe(total);
  expect(refused.length).toBeLessThan(20);
  const last = refused.at(-1)?.data ?? {};
  expect(String(last["last"]) >= began).toBe(true);
}, 120_000);
