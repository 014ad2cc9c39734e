import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import {
  type ReceivedSpan,
  startTraceReceiver,
  type TraceReceiver,
} from "../../../stack/src/testing/servers/trace-receiver.ts";
import { savePolicy } from "../../src/configuration/save-policy.ts";
import { saveQuery } from "../../src/configuration/save-query.ts";
import { createTenant, type Tenant } from "../../src/configuration/tenant.ts";
import { capture } from "../../src/requests/capture.ts";
import { withKey } from "../../src/requests/data-plane.ts";
import { must } from "../../src/requests/must.ts";
import { type OwnSuite, startOwnSuite } from "../../src/suites/own-suite.ts";
import { createTokenIssuer } from "../../src/tokens/token-issuer.ts";

/** One trace from the gateway to the database and to jobs, received as OTLP, without a word of whom it is about. */
const subject = { type: "Person", id: "subject-zq81" };
const hidden = [subject.id, "claim-zq82", "value-zq83", "imported-zq84", "audience-zq85"];

/** A trace that a client began. */
const begin = () => {
  const traceId = randomBytes(16).toString("hex");
  const spanId = randomBytes(8).toString("hex");
  return { traceId, spanId, headers: { traceparent: `00-${traceId}-${spanId}-01` } };
};

let receiver: TraceReceiver;
let suite: OwnSuite;
let tenant: Tenant;
let bearer: string;
let driving: string;
let reading: string;
let query: string;

beforeAll(async () => {
  receiver = await startTraceReceiver();
  suite = await startOwnSuite({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url });
  tenant = await createTenant("traces");
  await capture(
    {
      nodes: [
        { ...{ type: subject.type, external_id: subject.id }, is_identity: true },
        { type: "Car", external_id: "car" },
      ],
      relationships: [],
    },
    tenant,
  );
  driving = await savePolicy(tenant.projectId, {
    policy: {
      meta: { policy_version: "2.0-kbac" },
      subject: { type: "Person" },
      actions: ["DRIVE"],
      resource: { type: "Car" },
      condition: {
        cypher: "MATCH (subject:Person), (resource:Car) WHERE $wanted <> 'x'",
        filter: [{ attribute: "$token.team", operator: "=", value: "claim-zq82" }],
      },
    },
  });
  const reads = { nodes: ["car.external_id"] };
  reading = await savePolicy(tenant.projectId, {
    policy: {
      meta: { policy_version: "1.0-ciq" },
      subject: { type: "_Application" },
      condition: { cypher: "MATCH (subject:_Application) MATCH (car:Car)" },
      allowed_reads: reads,
    },
  });
  query = await saveQuery(tenant.projectId, { policyId: reading, query: reads });
  const issuer = await createTokenIssuer(tenant.projectId, {
    claims_mapping: { team: { selector: "team" } },
  });
  bearer = await issuer.sign(subject.id, { team: "claim-zq82", more: "audience-zq85" });
}, 300_000);
afterAll(async () => {
  await suite?.close();
  await receiver?.close();
});

const spanLimits = { withinMs: 60_000, everyMs: 200 };

/** Waits until a trace has all of these spans; they are sent every few seconds. */
const spansOf = async (traceId: string, ...names: readonly string[]): Promise<readonly ReceivedSpan[]> => {
  const { spans } = await eventually(
    () => {
      const spans = receiver.spans.filter((span) => span.traceId === traceId);
      const received = spans.map(({ service, name }) => `${service} ${name}`);
      return { missing: names.filter((name) => !received.includes(name)), received, spans };
    },
    ({ missing }) => missing.length === 0,
    spanLimits,
  );
  return spans;
};
const one = (spans: readonly ReceivedSpan[], service: string, name: string): ReceivedSpan => {
  const found = spans.find((span) => span.service === service && span.name === name);
  if (found === undefined) throw new Error(`no span ${service} ${name}`);
  return found;
};

describe("a trace", () => {
  it("of a decision goes from the caller over gateway and access to the database", async () => {
    const { traceId, spanId, headers } = begin();
    const question = {
      subject,
      action: { name: "DRIVE" },
      resource: { type: "Car", id: "car" },
      context: { input_params: { wanted: "value-zq83" } },
    };
    const answer = await withKey("/access/v1/evaluation", { ...tenant, bearer }, { json: question, headers });
    expect(must(answer, 200)).toEqual({ decision: true });
    const spans = await spansOf(traceId, "gateway evaluate", "access decide", "access database");
    const gateway = one(spans, "gateway", "evaluate");
    const access = one(spans, "access", "evaluate");
    const decide = one(spans, "access", "decide");
    const database = one(spans, "access", "database");
    expect([gateway, access, decide, database].map(({ parentSpanId }) => parentSpanId)).toEqual([
      spanId,
      gateway.spanId,
      access.spanId,
      decide.spanId,
    ]);
    expect(gateway.attributes).toEqual({
      "http.request.method": "POST",
      "http.route": "/access/v1/evaluation",
      "http.response.status_code": 200,
      "ikg.project": tenant.projectId,
    });
    expect(decide.attributes).toEqual({ "ikg.policies": [`${driving}@1`] });
    expect(one(spans, "access", "statement").attributes).toEqual({
      "db.system.name": "neo4j",
      "ikg.failed": false,
    });
  });

  it("of a query names the query and its policy", async () => {
    const { traceId, headers } = begin();
    must(await withKey("/ciq/v1/execute", tenant, { json: { id: query }, headers }), 200);
    const spans = await spansOf(traceId, "gateway execute", "ciq query", "ciq statement");
    const executed = one(spans, "ciq", "query");
    expect(executed.parentSpanId).toBe(one(spans, "ciq", "execute").spanId);
    expect(executed.attributes).toEqual({ "ikg.query": `${query}@1`, "ikg.policies": [`${reading}@1`] });
    const below = spans.filter(({ parentSpanId }) => parentSpanId === executed.spanId);
    expect(below.map(({ name }) => name)).toEqual(["statement"]);
  });

  it("goes on in the job that a request orders", async () => {
    const { traceId, headers } = begin();
    const node = { node: { external_id: "imported-zq84", type: "Person" } };
    const upload = { "Content-Type": "application/x-ndjson", ...headers };
    must(
      await withKey("/capture/v1/imports", tenant, { raw: `${JSON.stringify(node)}\n`, headers: upload }),
      202,
    );
    const spans = await spansOf(traceId, "gateway create_import", "capture create_import", "capture import");
    const job = one(spans, "capture", "import");
    expect(job.parentSpanId).toBe(one(spans, "capture", "create_import").spanId);
    expect(spans.some(({ name, parentSpanId }) => name === "statement" && parentSpanId === job.spanId)).toBe(
      true,
    );
  });

  it("begins at the gateway when the caller began none", async () => {
    const before = receiver.spans.length;
    must(await withKey("/ciq/v1/execute", tenant, { json: { id: query } }), 200);
    const isRoot = ({ service, name, parentSpanId }: ReceivedSpan): boolean =>
      service === "gateway" && name === "execute" && parentSpanId === "";
    const root = await eventually(
      () => receiver.spans.slice(before).find(isRoot),
      (span) => span !== undefined,
      spanLimits,
    );
    await spansOf(root.traceId, "ciq query");
  });

  it("stands in the log line of every service that took part", async () => {
    const { traceId, headers } = begin();
    must(await withKey("/ciq/v1/execute", tenant, { json: { id: query }, headers }), 200);
    await pause(500);
    for (const service of ["gateway", "ciq"] as const) {
      const lines = suite
        .process(service)
        .output()
        .split("\n")
        .filter((line) => line.includes(traceId));
      expect(lines).toHaveLength(1);
      expect(JSON.parse(lines[0] ?? "")).toMatchObject({
        level: "http",
        service,
        trace_id: traceId,
        request_id: expect.any(String),
        operation: "execute",
        method: "POST",
        route: "/ciq/v1/execute",
        project: tenant.projectId,
        status: 200,
        ms: expect.any(Number),
        address: expect.stringMatching(/127\.0\.0\.1$|^::1$/),
      });
    }
  });

  it("holds no subject, claim, parameter or key", () => {
    const text = receiver.bodies.join("\n");
    expect(receiver.spans.length).toBeGreaterThan(20);
    for (const secret of [...hidden, tenant.key, bearer, "zq8"]) expect(text).not.toContain(secret);
  });
});
