import { existsSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { SignJWT, generateKeyPair } from "jose";
import { metricRows, processRows } from "../../../stack/src/documentation/metric-rows.ts";
import { type ServiceName, services } from "../../../stack/src/services/service-names.ts";
import { inRepository } from "../../../stack/src/repository.ts";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { type MetricValues, metricsIn } from "../../../stack/src/testing/suites/read-metrics.ts";
import { createAgent } from "../../src/configuration/create-agent.ts";
import { savePolicy } from "../../src/configuration/save-policy.ts";
import { saveQuery } from "../../src/configuration/save-query.ts";
import { createTenant, type Tenant } from "../../src/configuration/tenant.ts";
import { freshName } from "../../src/fresh-name.ts";
import { capture } from "../../src/requests/capture.ts";
import { openAdmin } from "../../src/requests/clients.ts";
import { configs } from "../../src/requests/configs.ts";
import { withKey } from "../../src/requests/data-plane.ts";
import { evaluate, tryEvaluate } from "../../src/requests/evaluate.ts";
import { tryExecute } from "../../src/requests/execute.ts";
import { must } from "../../src/requests/must.ts";
import { simulate } from "../../src/requests/simulate.ts";
import { type OwnSuite, startOwnSuite } from "../../src/suites/own-suite.ts";
import { takeEffect } from "../../src/take-effect.ts";
import { createTokenIssuer } from "../../src/tokens/token-issuer.ts";

/**
 * Every metric of docs/metrics.md is there, on the services that the table names, and moves when what it counts happens.
 * What happens here is what a tenant does in its first minutes, queries that keep the only connection busy, an issuer
 * that cannot be asked, and in the end a service and a Redis that are gone.
 */

/** What moves with a fault or with work that another test makes, and where that is. */
const shownBy: Readonly<Record<string, string>> = {
  ikg_issuer_circuits_opened_total: "libs/auth/test/online.test.ts",
  ikg_resolver_call_duration_seconds: "services/ciq/test/resolver-calls.long.test.ts",
  ikg_resolver_circuits: "services/ciq/test/resolver-calls.long.test.ts",
  ikg_import_repeated_transactions_total: "services/capture/test/imports-under-test.ts",
  ikg_project_import_rows_total: "services/capture/test/import-bounds.long.test.ts",
  ikg_project_import_stored_bytes: "services/capture/src/imports/usage-metrics.test.ts",
  ikg_requests_waiting_for_turn: "services/gateway/test/turns.test.ts",
  ikg_project_sessions: "services/mcp/src/sessions/session-metrics.test.ts",
  ikg_project_audit_waiting_bytes: "services/audit/src/writer/writer-metrics.test.ts",
  ikg_token_nodes_failed_total: "libs/auth/test/token-node.test.ts",
  ikg_audit_bytes_waiting: "services/audit/test/customer-keys.long.alone.test.ts",
  ikg_audit_records_waiting: "services/audit/test/customer-keys.long.alone.test.ts",
  ikg_audit_spilled_bytes: "services/audit/test/broken-key-service.long.alone.test.ts",
  ikg_trust_scored_nodes_total: "services/trust-scorer/src/run-metrics.test.ts",
  ikg_trust_runs_total: "services/trust-scorer/src/run-metrics.test.ts",
  ikg_trust_repeated_steps_total: "services/trust-scorer/src/run-metrics.test.ts",
  ikg_trust_runs_open: "services/trust-scorer/src/run-metrics.test.ts",
  ikg_trust_oldest_run_seconds: "services/trust-scorer/src/run-metrics.test.ts",
  ikg_migration_items_total: "services/configs/src/migrations/migration-metrics.test.ts",
  ikg_migration_batch_seconds: "services/configs/src/migrations/migration-metrics.test.ts",
  ikg_migration_failures_total: "services/configs/src/migrations/migration-metrics.test.ts",
  ikg_migration_databases_behind: "services/configs/src/migrations/migration-metrics.test.ts",
};
/** What is there and at rest: while keys can sign, and while connections suffice. */
const atRest = new Set([
  "audit_signing_pending_seconds",
  "ikg_audit_signing_failures_total",
  "ikg_audit_own_lost_total",
  // The scheduler lets no more statements of projects begin than there are connections.
  "ikg_pool_waiting",
]);
const constant = new Set(["ikg_build_info", "ikg_schema_version"]);

const unreachable = "http://127.0.0.1:1";
const drive = { action: { name: "DRIVE" }, resource: { type: "Car", id: "car" } };
const ann = { type: "Person", id: "ann" };
const kbac = (action: string, cypher: string) => ({
  meta: { policy_version: "2.0-kbac" },
  subject: { type: "Person" },
  actions: [action],
  resource: { type: "Car" },
  condition: { cypher },
});
const owns = "MATCH (subject:Person)-[:OWNS]->(resource:Car)";
const reads = { nodes: ["a.external_id"] };
const endless =
  "MATCH (subject:_Application) MATCH (a:Thing), (b:Thing), (c:Thing), (d:Thing), (e:Thing) " +
  "WHERE a.property.n > b.property.n + c.property.n AND b.property.n > d.property.n + e.property.n AND c.property.n > a.property.n";

let suite: OwnSuite;
let tenant: Tenant;
let first: ReadonlyMap<ServiceName, MetricValues>;
/** Of each service what it had when it was looked at last. */
const last = new Map<ServiceName, MetricValues>();
const moved = new Set<string>();

const look = async (
  among: readonly ServiceName[] = services,
): Promise<ReadonlyMap<ServiceName, MetricValues>> => {
  const found = new Map<ServiceName, MetricValues>();
  for (const name of among) found.set(name, metricsIn(await suite.metrics(name)));
  return found;
};
/**
 * Looks again, and keeps what was found, and what has another value than at first. Series are compared one by one: the total
 * of a gauge stays when a connection that was idle is in use.
 */
const follow = async (
  among: readonly ServiceName[] = services,
): Promise<ReadonlyMap<ServiceName, MetricValues>> => {
  const now = await look(among);
  for (const [name, metrics] of now) {
    last.set(name, metrics);
    const before = first.get(name);
    for (const metric of metrics.kinds.keys())
      if (String(metrics.nonZero(metric)) !== String(before?.nonZero(metric))) moved.add(metric);
  }
  return now;
};
const of = (metrics: ReadonlyMap<ServiceName, MetricValues>, name: ServiceName): MetricValues => {
  const found = metrics.get(name);
  if (found === undefined) throw new Error(`no metrics of ${name}`);
  return found;
};

const inFirstMinutes = async (): Promise<void> => {
  tenant = await createTenant("metrics");
  const { projectId } = tenant;
  await capture(
    {
      nodes: [
        { type: "Person", external_id: "ann", is_identity: true },
        { type: "Car", external_id: "car" },
        ...Array.from({ length: 60 }, (_, n) => ({
          type: "Thing",
          external_id: `t${n}`,
          properties: [{ type: "n", value: n }],
        })),
      ],
      relationships: [
        {
          source: { type: "Person", external_id: "ann" },
          target: { type: "Car", external_id: "car" },
          type: "OWNS",
        },
      ],
    },
    tenant,
  );
  await savePolicy(projectId, { policy: kbac("DRIVE", owns) });
  await savePolicy(projectId, { policy: kbac("RACE", `${owns} WHERE resource.property.speed <= $limit`) });
  await withKey("/capture/v1/imports", tenant, {
    raw: `${JSON.stringify({ node: { type: "Person", external_id: "bob" } })}\n`,
    headers: { "Content-Type": "application/x-ndjson" },
  });
  const reader = await createAgent(tenant.applicationId, ["ReadGraph"]);
  expect((await withKey("/capture/v1/export", reader)).status).toBe(200);
  await openAdmin().trustScoreProfiles.create({
    project_id: projectId,
    name: freshName("profile"),
    node_classification: "Person",
    dimensions: [{ name: "FRESHNESS", weight: 1 }],
    schedule: "THREE_HOURS",
  });
};

const decisions = async (): Promise<void> => {
  expect(await evaluate({ subject: ann, ...drive }, tenant)).toEqual({ decision: true });
  expect(await evaluate({ subject: { ...ann, id: "bob" }, ...drive }, tenant)).toEqual({ decision: false });
  const race = { subject: ann, ...drive, action: { name: "RACE" } };
  expect((await tryEvaluate(race, tenant)).status).toBe(422);
  const evaluations = Array.from({ length: 50 }, (_, n) => ({ subject: { ...ann, id: `p${n}` } }));
  must(await withKey("/access/v1/evaluations", tenant, { json: { ...drive, evaluations } }), 200);
};

/** The rule about cars goes, as if. */
const simulation = async (): Promise<void> => {
  await openAdmin().policies.create({
    project_id: tenant.projectId,
    name: "may-park",
    status: "ACTIVE",
    policy: JSON.stringify(kbac("PARK", owns)),
  });
  await takeEffect();
  const changes = [{ op: "delete", collection: "authorization-policies", name: "may-park" }] as const;
  const { questions } = await simulate(tenant.projectId, changes);
  expect(questions.map(({ lost }) => lost.count)).toEqual([1]);
};

const bearers = async (): Promise<void> => {
  const issuer = await createTokenIssuer(tenant.projectId);
  const bearer = await issuer.sign("ann");
  for (let times = 0; times < 2; times++)
    must(await tryEvaluate({ subject: ann, ...drive }, { ...tenant, bearer }), 200);
  await openAdmin().introspects.create({
    name: freshName("unreachable"),
    project_id: tenant.projectId,
    jwt_matcher: { issuer: unreachable, audience: "x" },
    online_validation: {
      introspection_endpoint: `${unreachable}/introspect`,
      client_id: "us",
      client_secret: "something secret",
      cache_ttl: 0,
    },
    ikg_node_type: "Person",
  });
  await takeEffect();
  const { privateKey } = await generateKeyPair("ES256");
  for (let times = 0; times < 8; times++) {
    const token = await new SignJWT({ n: times })
      .setProtectedHeader({ alg: "ES256", kid: `k${times}` })
      .setIssuer(unreachable)
      .setAudience("x")
      .setSubject("ann")
      .setExpirationTime("5m")
      .sign(privateKey);
    expect((await tryEvaluate({ subject: ann, ...drive }, { ...tenant, bearer: token })).status).toBe(503);
  }
};

/** Two queries want the only connection. */
const crowd = async (): Promise<ReadonlyMap<ServiceName, MetricValues>> => {
  const policyId = await savePolicy(tenant.projectId, {
    policy: {
      meta: { policy_version: "1.0-ciq" },
      subject: { type: "_Application" },
      condition: { cypher: endless },
      allowed_reads: reads,
    },
  });
  const id = await saveQuery(tenant.projectId, { policyId, query: reads });
  const limit = (limits: object) =>
    configs(`/projects/${tenant.projectId}`, { method: "PUT", json: { limits } });
  await limit({ requests_in_flight: 3 });
  // One is refused by the gateway, one runs, one waits for it, and for one more the queue has no place.
  const executions = Array.from({ length: 4 }, () => tryExecute({ id }, tenant));
  let answered = false;
  void Promise.allSettled(executions).then(() => (answered = true));
  const metrics = await eventually(
    () => follow(["ciq", "gateway"]),
    (now) => answered || of(now, "ciq").total("ikg_project_refusals_total") > 0,
    { withinMs: 60_000, everyMs: 50 },
  );
  await Promise.all(executions);
  await limit({});
  return metrics;
};

beforeAll(async () => {
  suite = await startOwnSuite(
    { EGRESS_ALLOW_HTTP: "true", EGRESS_ALLOW_CIDRS: "127.0.0.0/8" },
    { ciq: { NEO4J_POOL_SIZE: "1", NEO4J_QUEUE_LENGTH: "1", QUERY_TIMEOUT_MS: "8000" } },
  );
  first = await look();
  await inFirstMinutes();
  await decisions();
  await simulation();
  await bearers();
  await follow();
}, 300_000);
afterAll(async () => {
  await suite?.close();
});

describe("the table of docs/metrics.md", () => {
  it("names what each service has, and nothing else", async () => {
    const now = await follow();
    for (const name of services) {
      const own = metricRows().filter((row) => row.services.length === 0 || row.services.includes(name));
      const expected = Object.fromEntries([...own, ...processRows()].map((row) => [row.name, row.kind]));
      expect([name, Object.fromEntries(of(now, name).kinds)]).toEqual([name, expected]);
    }
  });

  it("names the labels of each", async () => {
    const now = await follow();
    for (const row of metricRows())
      for (const name of services)
        for (const label of of(now, name).labelsOf(row.name)) expect(row.labels).toContain(label);
  });
});

describe("the metrics", () => {
  it("tell decisions by outcome, with their policies and their time in the database", async () => {
    const access = of(await follow(), "access");
    const count = (outcome: string): number => access.total("ikg_decisions_total", { outcome });
    expect([count("granted"), count("denied"), count("refused")]).toEqual([3, 51, 1]);
    expect(access.total("ikg_decision_candidates")).toBe(55);
    expect(access.text).toMatch(/ikg_decision_candidates_bucket\{le="1",service="access"\} 55/);
    expect(access.total("ikg_decision_database_seconds")).toBe(55);
  });

  it("tell that the entries of a batch went out together", async () => {
    const { text } = of(await follow(), "access");
    const [, alone] = /^ikg_joined_rows_bucket\{le="32",service="access"\} (\d+)$/m.exec(text) ?? [];
    const [, all] = /^ikg_joined_rows_count\{service="access"\} (\d+)$/m.exec(text) ?? [];
    expect(Number(all) - Number(alone)).toBeGreaterThanOrEqual(1);
  });

  it("tell requests by operation and status, at the gateway and behind it", async () => {
    const now = await follow();
    for (const name of ["gateway", "access"] as const) {
      const countRequests = (status: string): number =>
        of(now, name).total("ikg_request_duration_seconds", { operation: "evaluate", status });
      expect([countRequests("200") >= 4, countRequests("422"), countRequests("503")]).toEqual([true, 1, 8]);
    }
  });

  it("tell who uses what", async () => {
    const now = await follow();
    const project = tenant.projectId;
    for (const name of ["gateway", "access"] as const)
      expect(of(now, name).total("ikg_project_requests_total", { project })).toBeGreaterThan(4);
    const time = of(now, "access").total("ikg_project_database_seconds_total", { project });
    expect(time).toBeGreaterThan(0);
    expect(time).toBeLessThan(60);
  });

  it("tell what caches knew", async () => {
    const now = await follow();
    const lookups = (name: ServiceName, cache: string, result: string): number =>
      of(now, name).total("ikg_cache_lookups_total", { cache, result });
    expect(lookups("gateway", "credentials", "hit")).toBeGreaterThan(0);
    expect(lookups("gateway", "credentials", "miss")).toBeGreaterThan(0);
    expect(lookups("access", "projects", "hit")).toBeGreaterThan(0);
    expect([lookups("access", "bearers", "hit"), lookups("access", "bearers", "miss")]).toEqual([1, 9]);
  });

  it("tell that statements wait for their turn, and which limit refused one", async () => {
    const now = await crowd();
    const ciq = of(now, "ciq");
    expect(ciq.total("ikg_pool_connections", { target: "shared", state: "in_use" })).toBe(1);
    expect(ciq.total("ikg_statements_waiting", { class: "query" })).toBe(1);
    expect(
      ciq.total("ikg_statements_refused_total", { class: "query", limit: "length", status: "429" }),
    ).toBe(1);
    expect(of(now, "gateway").total("ikg_limit_refusals_total", { limit: "requests_in_flight" })).toBe(1);
    const project = tenant.projectId;
    expect(ciq.total("ikg_project_statements_waiting", { project })).toBe(1);
    const refused = (service: ServiceName, limit: string): number =>
      of(now, service).total("ikg_project_refusals_total", { project, limit });
    expect([refused("ciq", "concurrent_statements"), refused("gateway", "requests_in_flight")]).toEqual([
      1, 1,
    ]);
  });

  it("tell of jobs that wait", async () => {
    const depth = (metrics: MetricValues): number =>
      metrics.total("ikg_queue_jobs", { queue: "trust_slots", state: "waiting" });
    const age = (metrics: MetricValues): number =>
      metrics.total("ikg_queue_oldest_waiting_seconds", { queue: "trust_slots" });
    const scorer = async (): Promise<MetricValues> => of(await follow(["trust-scorer"]), "trust-scorer");
    await eventually(scorer, (now) => depth(now) > 0 && age(now) > 0, { withinMs: 80_000, everyMs: 500 });
  });

  it("tell that a circuit is open when a service has ended", async () => {
    expect(of(await follow(["gateway"]), "gateway").total("ikg_circuit_open")).toBe(0);
    await suite.process("access").end("SIGKILL");
    // More than were answered in the ten seconds before, which count as well.
    for (let times = 0; times < 100; times++) await tryEvaluate({ subject: ann, ...drive }, tenant);
    const gateway = of(await follow(["gateway"]), "gateway");
    expect(gateway.total("ikg_circuit_open", { upstream: "access" })).toBe(1);
  });

  it("tell of audit records that are lost with their Redis", async () => {
    await suite.redis.stop();
    // The record of a change is in the database; that of a call which changes nothing is not.
    await configs(`/changes?project_id=${tenant.projectId}`);
    const metrics = of(await follow(["configs"]), "configs");
    expect(metrics.total("ikg_audit_lost_total")).toBeGreaterThan(0);
    expect(metrics.total("ikg_redis_connected")).toBe(0);
    await suite.redis.start();
  });

  it("hold no gid, name or value", async () => {
    // Access has ended; what it had after its requests is kept.
    await follow(services.filter((name) => name !== "access"));
    expect(of(last, "access").total("ikg_decisions_total")).toBeGreaterThan(0);
    expect([...last.keys()].toSorted()).toEqual([...services].toSorted());
    const text = [...last.values()]
      .map((metrics) => metrics.text.replaceAll(/^ikg_project_.*$/gm, ""))
      .join("\n");
    for (const secret of ["gid:", '"ann"', '"bob"', "127.0.0.1", tenant.projectId, tenant.key])
      expect(text).not.toContain(secret);
  });

  it("all moved, or are shown to move by a test that is named", () => {
    const files = Object.entries(shownBy).filter(
      ([metric, file]) =>
        !existsSync(inRepository(file)) || !readFileSync(inRepository(file), "utf8").includes(metric),
    );
    expect(files).toEqual([]);
    const still = metricRows()
      .map(({ name }) => name)
      .filter((name) => !moved.has(name) && !(name in shownBy) && !atRest.has(name) && !constant.has(name));
    expect(still).toEqual([]);
  });
});
