import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import {
  type FaultyProxy,
  type ProxyState,
  openFaultyProxy,
} from "../../../stack/src/testing/servers/faulty-proxy.ts";
import { createCredential } from "../../src/configuration/create-credential.ts";
import { savePolicy } from "../../src/configuration/save-policy.ts";
import { saveQuery } from "../../src/configuration/save-query.ts";
import { createTenant, type Tenant } from "../../src/configuration/tenant.ts";
import { capture } from "../../src/requests/capture.ts";
import { configs } from "../../src/requests/configs.ts";
import { withKey } from "../../src/requests/data-plane.ts";
import { expectRefusal, type Refusal } from "../../src/requests/envelope.ts";
import type { Answer } from "../../src/requests/send.ts";
import { databaseAddress, type Process, startBeside } from "../../src/suites/start-beside.ts";

/**
 * The error codes that need a process to be unavailable, slow or configured differently: 408, 428, 500, 502, 503 and
 * 504, through a separate gateway. Its upstreams are configs and access behind proxies that inject faults, ciq and
 * access with short limits, and no process at all for capture; its connection to the key store goes through a proxy
 * as well. The other cause of 500, a bug, cannot be tested.
 */
const question = {
  subject: { type: "Thing", id: "t1" },
  action: { name: "COMPARE" },
  resource: { type: "Thing", id: "t2" },
};
const things = Array.from({ length: 60 }, (_, n) => ({
  type: "Thing",
  external_id: `t${n}`,
  properties: [{ type: "n", value: n }],
}));
/** 60^5 combinations, and none of them is it, which no part of them tells: whatever the plan, all are tried. */
const endless = (start: string): string =>
  `MATCH ${start}, (a:Thing), (b:Thing), (c:Thing), (d:Thing), (e:Thing) WHERE a.property.n + b.property.n + c.property.n + d.property.n + e.property.n < a.property.n`;

let tenant: Tenant;
let base: string;
let slowQuery: string;
let quickQuery: string;
const processes: Process[] = [];
const proxies = new Map<"configs" | "access" | "keys" | "graph", FaultyProxy>();

const proxyOf = (name: "configs" | "access" | "keys" | "graph"): FaultyProxy => {
  const found = proxies.get(name);
  if (found === undefined) throw new Error(`no proxy to ${name}`);
  return found;
};
const started = async (...[name, settings]: Parameters<typeof startBeside>): Promise<Process> => {
  const process = await startBeside(name, settings);
  processes.push(process);
  return process;
};
const at = ({ port }: { readonly port: number }): string => `http://127.0.0.1:${port}`;
const to = (process: Process): Promise<FaultyProxy> =>
  openFaultyProxy({ host: "127.0.0.1", port: process.port });

beforeAll(async () => {
  proxies.set("graph", await openFaultyProxy(databaseAddress()));
  proxies.set("keys", await openFaultyProxy(databaseAddress()));
  const [strictConfigs, access, ciq] = await Promise.all([
    started("configs", { CONFIG_REQUIRE_IF_MATCH: "true" }),
    started("access", {
      NEO4J_URI: `bolt://127.0.0.1:${proxyOf("graph").port}`,
      // A database on a busy machine takes a while to give up; the gateway waits for longer below.
      DECISION_TIMEOUT_MS: "1500",
    }),
    started("ciq", { QUERY_TIMEOUT_MS: "2000" }),
  ]);
  proxies.set("configs", await to(strictConfigs));
  proxies.set("access", await to(access));
  const gateway = await started("gateway", {
    NEO4J_URI: `bolt://127.0.0.1:${proxyOf("keys").port}`,
    UPSTREAM_CONFIGS: at(proxyOf("configs")),
    UPSTREAM_ACCESS: at(proxyOf("access")),
    UPSTREAM_CIQ: at(ciq),
    // No process listens there.
    UPSTREAM_CAPTURE: "http://127.0.0.1:1",
    LIMIT_CONFIGS_MS: "2500",
    LIMIT_ACCESS_MS: "2500",
    CIRCUIT_RESET_MS: "100",
  });
  base = at(gateway);

  tenant = await createTenant("failures");
  await capture({ nodes: things, relationships: [] }, tenant);
  const { projectId } = tenant;
  const kbac = (actions: string[], cypher: string) => ({
    meta: { policy_version: "2.0-kbac" },
    subject: { type: "Thing" },
    actions,
    resource: { type: "Thing" },
    condition: { cypher },
  });
  await savePolicy(projectId, { policy: kbac(["COMPARE"], "MATCH (subject:Thing), (resource:Thing)") });
  await savePolicy(projectId, { policy: kbac(["SLOW"], endless("(subject:Thing), (resource:Thing)")) });
  const reads = { nodes: ["a.external_id"] };
  const query = async (cypher: string): Promise<string> => {
    const policyId = await savePolicy(projectId, {
      policy: {
        meta: { policy_version: "1.0-ciq" },
        subject: { type: "_Application" },
        condition: { cypher },
        allowed_reads: reads,
      },
    });
    return saveQuery(projectId, { policyId, query: reads });
  };
  slowQuery = await query(endless("(subject:_Application)"));
  quickQuery = await query("MATCH (subject:_Application) MATCH (a:Thing)");
}, 60_000);
afterAll(async () => {
  await Promise.all(processes.map((process) => process.stop()));
  await Promise.all([...proxies.values()].map((each) => each.close()));
  await tenant?.remove();
});

const read = (): Promise<Answer> => configs(`/applications/${tenant.applicationId}`, { base });
const create = (name: string): Promise<Answer> =>
  configs("/applications", { base, json: { project_id: tenant.projectId, name } });
const decide = (key = tenant.key, name = "COMPARE"): Promise<Answer> =>
  withKey("/access/v1/evaluation", { key }, { base, json: { ...question, action: { name } } });

const unavailable = (retryAfter: string): Refusal => ({
  status: 503,
  message: "Service Unavailable",
  retryAfter,
});

/** The proxy is in this state for as long as `ask` takes; afterwards the same is answered again. */
const during = async (
  name: Parameters<typeof proxyOf>[0],
  state: ProxyState,
  ask: () => Promise<Answer>,
  again: () => Promise<Answer>,
): Promise<Answer> => {
  const disturbed = proxyOf(name);
  disturbed.state = state;
  let answer: Answer;
  try {
    answer = await ask();
  } finally {
    disturbed.state = "through";
  }
  await eventually(again, ({ status }) => status === 200);
  return answer;
};

it("nothing is refused while nothing is disturbed", async () => {
  // The first of its kind may take longer than the limits allow.
  const wanted = ({ status }: Answer): boolean => status === 200;
  await eventually(read, wanted);
  expect(await eventually(decide, wanted)).toMatchObject({ body: { decision: true } });
  await eventually(() => withKey("/ciq/v1/execute", tenant, { base, json: { id: quickQuery } }), wanted);
});

describe("408: CIQ query ran past its time limit and was rolled back", () => {
  it("a query that compares everything with everything", async () => {
    const answer = await withKey("/ciq/v1/execute", tenant, { base, json: { id: slowQuery } });
    expectRefusal(answer, { status: 408, message: "Request Timeout" });
  });
});

describe("428: If-Match is required by CONFIG_REQUIRE_IF_MATCH alone", () => {
  it.each(["PUT", "DELETE"])("%s without If-Match", async (method) => {
    const path = `/applications/${tenant.applicationId}`;
    const answer = await configs(path, { base, method, ...(method === "PUT" ? { json: {} } : {}) });
    expectRefusal(answer, {
      status: 428,
      message: "Precondition Required",
      errors: ["If-Match: required"],
    });
    expect((await configs(path)).status).toBe(200);
  });
});

describe("500: the gateway lost or timed out a write that it had already passed on", () => {
  it.each(["lost", "silent"] as const)("%s", async (state) => {
    const answer = await during("configs", state, () => create(`when-${state}`), read);
    expectRefusal(answer, { status: 500, message: "Internal Server Error" });
  });
});

describe("502 / 504: Gateway: service unreachable or too slow, for GET only", () => {
  it.each([
    ["lost", { status: 502, message: "Bad Gateway" }],
    ["silent", { status: 504, message: "Gateway Timeout" }],
  ] as const)("%s", async (state, refusal) => {
    expectRefusal(await during("configs", state, read, read), refusal);
  });
});

describe("503: Store down, or the request was never passed on; Retry-After when known", () => {
  it("no process listens: every request, and after some of them the circuit is open", async () => {
    for (let times = 0; times < 8; times++) {
      const json = { nodes: [things[0]] };
      expectRefusal(await withKey("/capture/v1/nodes", tenant, { base, json }), unavailable("2"));
    }
  });

  it.each<ProxyState>(["lost", "silent"])("a decision that was passed on and %s", async (state) => {
    expectRefusal(await during("access", state, decide, decide), unavailable("2"));
  });

  it("a decision past its limit", async () => {
    expectRefusal(await decide(tenant.key, "SLOW"), unavailable("1"));
  });

  it("graph down", async () => {
    const id = { "X-Request-ID": "while the graph was down" };
    const ask = (): Promise<Answer> =>
      withKey("/access/v1/evaluation", tenant, { base, json: question, headers: id });
    const answer = await during("graph", "lost", ask, decide);
    expectRefusal(answer, unavailable("5"));
    expect(answer.headers.get("x-request-id")).toBe(id["X-Request-ID"]);
  });

  it("key store down: the key is not judged", async () => {
    const { key } = await createCredential(tenant.agentId);
    const answer = await during(
      "keys",
      "lost",
      () => decide(key),
      () => decide(key),
    );
    expectRefusal(answer, {
      status: 503,
      message: "the credential could not be checked now",
      retryAfter: "5",
    });
  });
});
