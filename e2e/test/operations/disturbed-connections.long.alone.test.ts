import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { inParallel } from "../../../stack/src/measurement/in-parallel.ts";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import type { ProxyState } from "../../../stack/src/testing/servers/faulty-proxy.ts";
import { metricsIn } from "../../../stack/src/testing/suites/read-metrics.ts";
import { createCredential } from "../../src/configuration/create-credential.ts";
import { savePolicy } from "../../src/configuration/save-policy.ts";
import { saveQuery } from "../../src/configuration/save-query.ts";
import { long } from "../../src/long.ts";
import { createMcpTenant, type McpTenant, modernCall } from "../../src/mcp/mcp.ts";
import { openAdmin } from "../../src/requests/clients.ts";
import { configs } from "../../src/requests/configs.ts";
import { withKey } from "../../src/requests/data-plane.ts";
import type { Answer } from "../../src/requests/send.ts";
import { type DisturbedSuite, startDisturbedSuite } from "../../src/suites/disturbed-suite.ts";
import { takesEffectWithinMs } from "../../src/take-effect.ts";

/**
 * A proxy between every two processes of the suite, and what callers see while one of them is slow, is reset or half open: within a
 * bounded time an answer that is right, or none; and the usual one soon after.
 */
const waitMs = 6_000;
/** What a machine that does other things as well adds. */
const slackMs = 8_000;
const settings = {
  DECISION_TIMEOUT_MS: "3000",
  QUERY_TIMEOUT_MS: "3000",
  MCP_TOOL_TIMEOUT_MS: "4000",
  CIRCUIT_RESET_MS: "300",
  ...Object.fromEntries(["ACCESS", "CIQ", "MCP"].map((name) => [`LIMIT_${name}_MS`, String(waitMs)])),
};
/** For what is no matter of the test: how soon a record takes effect, and how many kept connections have to be given up. */
const patient = { withinMs: 30_000, everyMs: 100 };
/** Writes have 30 s at the store, and what was passed on is awaited 5 s longer. */
const writesMs = 35_000;

let suite: DisturbedSuite;
let cars: McpTenant;
let query: string;
let bearer: string;
let written = 0;

beforeAll(async () => {
  suite = await startDisturbedSuite(settings);
  cars = await createMcpTenant("connections");
  bearer = await cars.issuer.sign("ann", { exp: Math.floor(Date.now() / 1000) + 3_600 });
  const reads = { nodes: ["car.external_id"] };
  query = await saveQuery(cars.projectId, {
    policyId: await savePolicy(cars.projectId, {
      policy: {
        meta: { policy_version: "1.0-ciq" },
        subject: { type: "_Application" },
        condition: {
          cypher: "MATCH (subject:_Application) MATCH (who:Person)-[:OWNS]->(car:Car)",
          filter: [{ attribute: "who.external_id", operator: "=", value: "ann" }],
        },
        allowed_reads: reads,
      },
    }),
    query: reads,
  });
  // What is asked for the first time is planned and compiled, which takes a cold database on a busy machine longer than the
  // limits below: they are for what is disturbed, and not for that.
  await expectBack();
}, 300_000);
afterAll(async () => {
  await cars?.remove();
  await suite?.close();
}, 60_000);

const decide = (car: "red" | "blue", key = cars.key, action = "DRIVE"): Promise<Answer> =>
  withKey(
    "/access/v1/evaluation",
    { key },
    {
      json: {
        subject: { type: "Person", id: "ann" },
        action: { name: action },
        resource: { type: "Car", id: car },
      },
    },
  );
const tool = (car: "red" | "blue"): Promise<Answer> =>
  modernCall(
    cars.projectId,
    "tools/call",
    {
      name: "authzen_evaluate",
      arguments: { resource_type: "Car", resource_id: car, action_name: "DRIVE" },
    },
    { token: bearer },
  );

interface Ask {
  readonly ask: () => Promise<Answer>;
  /** What an answer that succeeds says. */
  readonly right: unknown;
  /** What may be answered while its way is disturbed. */
  readonly refusals: readonly number[];
  readonly withinMs: number;
}
const toolAnswer = (decision: boolean) => ({ result: { structuredContent: { decision } } });
/** A tool that cannot be carried out says so in a result. */
const toolAway = { result: { isError: true } };
const asks = {
  allowed: {
    ask: () => decide("red"),
    right: { decision: true },
    refusals: [503],
    withinMs: waitMs,
  },
  denied: {
    ask: () => decide("blue"),
    right: { decision: false },
    refusals: [503],
    withinMs: waitMs,
  },
  // A query may write: after it was forwarded and lost, its outcome is unknown.
  query: {
    ask: () => withKey("/ciq/v1/execute", cars, { json: { id: query } }),
    right: { data: [{ nodes: { "car.external_id": "red" } }] },
    refusals: [503, 500, 408],
    withinMs: waitMs,
  },
  read: {
    ask: () => configs(`/applications/${cars.applicationId}`),
    right: { name: "app" },
    refusals: [502, 503, 504],
    withinMs: writesMs,
  },
  create: {
    ask: () => configs("/applications", { json: { project_id: cars.projectId, name: `app-${written++}` } }),
    right: { id: expect.any(String) },
    refusals: [500, 503],
    withinMs: writesMs,
  },
  capture: {
    ask: () =>
      withKey("/capture/v1/nodes", cars, {
        json: { nodes: [{ type: "Mark", external_id: `mark-${written++}` }] },
      }),
    right: { results: [{ id: expect.any(String) }] },
    refusals: [500, 503],
    withinMs: writesMs,
  },
  toolAllowed: {
    ask: () => tool("red"),
    right: toolAnswer(true),
    refusals: [500, 503],
    withinMs: waitMs,
  },
  toolDenied: {
    ask: () => tool("blue"),
    right: toolAnswer(false),
    refusals: [500, 503],
    withinMs: waitMs,
  },
} satisfies Record<string, Ask>;
type AskName = keyof typeof asks;

const slow: readonly ProxyState[] = [{ delayMs: 200 }, { bytesPerSecond: 8_000 }];
const broken: readonly ProxyState[] = ["reset", "lost", "silent"];
const decisions: readonly AskName[] = ["allowed", "denied"];
const tools: readonly AskName[] = ["toolAllowed", "toolDenied"];

/** The calls through each proxy; callers wait for nothing on the others. */
const affected: Readonly<Record<string, readonly AskName[]>> = {
  "gateway-access": decisions,
  "gateway-ciq": ["query"],
  "gateway-configs": ["read", "create"],
  "gateway-capture": ["capture"],
  "gateway-mcp": tools,
  "mcp-access": tools,
  "access-neo4j": [...decisions, ...tools],
  "ciq-neo4j": ["query"],
  "configs-neo4j": ["read", "create"],
  "capture-neo4j": ["capture"],
  // Credentials and servers are remembered for half a minute.
  "gateway-neo4j": [...decisions, "query", "read", "create", "capture"],
  "mcp-neo4j": tools,
};
const unaffected = [
  "gateway-audit",
  ...["audit", "trust-scorer"].map((name) => `${name}-neo4j`),
  ...["gateway", "configs", "capture", "access", "ciq", "mcp", "audit", "trust-scorer"].map(
    (name) => `${name}-redis`,
  ),
];
const shortly = ["gateway-access", "access-neo4j", "ciq-neo4j", "access-redis"];
const pairs = long(shortly, [...Object.keys(affected), ...unaffected]);

const succeeded = ({ status, body }: Answer): boolean =>
  status < 300 && (body as { result?: { isError?: boolean } }).result?.isError !== true;

/** Everything at once, three of each, as it was answered. */
const askAll = () =>
  inParallel(
    (Object.keys(asks) as AskName[]).flatMap((name) => [name, name, name]),
    async (name) => {
      const begun = performance.now();
      const answer = await asks[name].ask();
      return { name, answer, ms: performance.now() - begun };
    },
  );

const expectBack = async (): Promise<void> => {
  for (const { ask } of Object.values(asks)) await eventually(ask, succeeded, patient);
};

describe.each(pairs)("%s", (pair) => {
  const over = affected[pair] ?? [];

  it.each([...slow, ...broken])(
    "%j",
    async (state) => {
      const proxy = suite.proxy(pair);
      proxy.state = state;
      try {
        for (const { name, answer, ms } of await askAll()) {
          const { right, refusals, withinMs } = asks[name];
          const { status, headers, body } = answer;
          const about = `${name}: ${status} ${JSON.stringify(body).slice(0, 300)}`;
          if (succeeded(answer)) expect({ about, body }).toMatchObject({ about, body: right });
          else {
            // What is slow is answered, and so is what goes another way.
            expect({ about, over: over.includes(name), slow: slow.includes(state) }).toEqual({
              about,
              over: true,
              slow: false,
            });
            if (status === 200) expect({ about, body }).toMatchObject({ about, body: toolAway });
            else expect({ about, fits: refusals.includes(status as never) }).toEqual({ about, fits: true });
            const retryAfter = headers.get("retry-after");
            expect({ about, retryAfter: retryAfter !== null }).toEqual({ about, retryAfter: status === 503 });
          }
          if (ms > withinMs + slackMs) throw new Error(`${about} took ${Math.round(ms)} ms`);
        }
      } finally {
        proxy.state = "through";
      }
      await expectBack();
    },
    180_000,
  );
});

describe("the circuit of a service", () => {
  const open = async (): Promise<number> =>
    metricsIn(await suite.metrics("gateway")).total("ikg_circuit_open", { upstream: "access" });

  it("opens while its connections break, answers at once then, and closes again", async () => {
    const proxy = suite.proxy("gateway-access");
    expect(await open()).toBe(0);
    proxy.state = "lost";
    try {
      // The answers of the last ten seconds count as well.
      for (let times = 0; times < 200 && (await open()) === 0; times++)
        expect((await decide("red")).status).toBe(503);
      const before = proxy.accepted;
      const refused = await Promise.all(Array.from({ length: 20 }, () => decide("red")));
      const outcomes = refused.map(({ status, headers }) => `${status} ${headers.get("retry-after")}`);
      expect(new Set(outcomes)).toEqual(new Set(["503 2"]));
      // Almost no call reaches the proxy: only an occasional attempt.
      expect(proxy.accepted - before).toBeLessThan(10);
    } finally {
      proxy.state = "through";
    }
    await expectBack();
    expect(await open()).toBe(0);
  }, 60_000);
});

describe("what was taken away", () => {
  const states: readonly ProxyState[] = long(["silent"], ["silent", "reset", { delayMs: 5_000 }]);
  const stores = ["gateway-redis", "access-redis"];

  it.each(states)(
    "is denied within two seconds, also where Redis cannot say so: %j",
    async (state) => {
      const { id, key } = await createCredential(cars.agentId);
      const policy = await savePolicy(cars.projectId, {
        policy: {
          meta: { policy_version: "2.0-kbac" },
          subject: { type: "Person" },
          actions: ["WASH"],
          resource: { type: "Car" },
          condition: { cypher: "MATCH (subject:Person)-[:OWNS]->(resource:Car)" },
        },
      });
      const wash = () => decide("red", cars.key, "WASH");
      await eventually(wash, ({ body }) => JSON.stringify(body) === '{"decision":true}', patient);
      await eventually(
        () => decide("red", key),
        ({ status }) => status === 200,
        patient,
      );
      for (const store of stores) suite.proxy(store).state = state;
      try {
        await openAdmin().agentCredentials.delete(id);
        await openAdmin().policies.delete(policy);
        await pause(takesEffectWithinMs);
        const [after, washed] = await Promise.all([decide("red", key), wash()]);
        expect(after.status).toBe(401);
        expect([washed.status, washed.body]).toEqual([200, { decision: false }]);
      } finally {
        for (const store of stores) suite.proxy(store).state = "through";
      }
      await expectBack();
    },
    60_000,
  );

  it("is not judged where a key cannot be looked up", async () => {
    const { key } = await createCredential(cars.agentId);
    const proxy = suite.proxy("gateway-neo4j");
    proxy.state = "silent";
    try {
      const begun = performance.now();
      const { status, headers, body } = await decide("red", key);
      expect([status, headers.get("retry-after"), body]).toEqual([
        503,
        "5",
        { message: "the credential could not be checked now" },
      ]);
      expect(performance.now() - begun).toBeLessThan(waitMs + slackMs);
    } finally {
      proxy.state = "through";
    }
    await eventually(
      () => decide("red", key),
      ({ status }) => status === 200,
      patient,
    );
  }, 60_000);
});
