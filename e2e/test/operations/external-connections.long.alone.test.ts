import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import {
  type FaultyProxy,
  type ProxyState,
  openFaultyProxy,
} from "../../../stack/src/testing/servers/faulty-proxy.ts";
import { type IssuerServer, startIssuerServer } from "../../../stack/src/testing/servers/issuer-server.ts";
import { savePolicy } from "../../src/configuration/save-policy.ts";
import { saveQuery } from "../../src/configuration/save-query.ts";
import { createTenant, type Tenant } from "../../src/configuration/tenant.ts";
import { freshName } from "../../src/fresh-name.ts";
import { long } from "../../src/long.ts";
import { modernCall } from "../../src/mcp/mcp.ts";
import { capture } from "../../src/requests/capture.ts";
import { openAdmin } from "../../src/requests/clients.ts";
import { withKey } from "../../src/requests/data-plane.ts";
import { tryExecute } from "../../src/requests/execute.ts";
import { must } from "../../src/requests/must.ts";
import type { Answer } from "../../src/requests/send.ts";
import { type OwnSuite, startOwnSuite } from "../../src/suites/own-suite.ts";
import { takeEffect } from "../../src/take-effect.ts";
import { testHost } from "../../src/test-host.ts";

/**
 * Connections to external servers, token issuers and external data sources, and what callers see while one is slow, is reset
 * or half open: an answer that is right or says what is missing, within a bounded time, and the usual one afterwards.
 */
const resolverCallMs = 1_500;
const settings = {
  EGRESS_ALLOW_HTTP: "true",
  EGRESS_ALLOW_CIDRS: "127.0.0.0/8",
  EDR_TIMEOUT_MS: String(resolverCallMs),
};
/** What an issuer is given for everything that one token needs to know (libs/auth). */
const issuerMs = 5_000;
/** What a machine that does other things as well adds. */
const slackMs = 4_000;
/** An issuer is left in peace for half a minute when it failed, a resolver when its circuit opened. */
const comesBack = { withinMs: 45_000, everyMs: 500 };

const slow: readonly ProxyState[] = [{ delayMs: 200 }, { bytesPerSecond: 8_000 }];
/** The last one answers, and never comes to an end in time. */
const broken: readonly ProxyState[] = ["reset", "lost", "silent", { bytesPerSecond: 40 }];
const states = long([{ delayMs: 200 }, "silent"], [...slow, ...broken]) as readonly ProxyState[];
const isBroken = (state: ProxyState): boolean => broken.includes(state);

let suite: OwnSuite;
beforeAll(async () => {
  suite = await startOwnSuite(settings);
}, 300_000);
afterAll(async () => {
  await suite?.close();
}, 60_000);

const timed = async (ask: () => Promise<Answer>): Promise<{ answer: Answer; ms: number }> => {
  const begun = performance.now();
  const answer = await ask();
  return { answer, ms: performance.now() - begun };
};

const ownCars = "MATCH (subject:Person)-[:OWNS]->(car:Car)";

/** A project that trusts an issuer behind a proxy, once by its keys and once by online validation. */
interface Trusting extends Tenant {
  readonly idp: IssuerServer;
  readonly proxy: FaultyProxy;
  readonly queryId: string;
}

/** Trusts the issuer twice: by its keys, which an MCP server uses too, and by introspection. */
const trustIssuer = async ({ projectId, agentId }: Tenant, idp: IssuerServer): Promise<void> => {
  const trust = async (audience: string, more: object = {}): Promise<string> =>
    (
      await openAdmin().introspects.create({
        project_id: projectId,
        name: freshName(audience),
        jwt_matcher: { issuer: idp.issuer, audience },
        ikg_node_type: "Person",
        ...more,
      })
    ).id;
  const token_introspect_id = await trust("discovered");
  await trust("introspected", {
    online_validation: {
      introspection_endpoint: `${idp.issuer}/introspect`,
      client_id: "us",
      client_secret: "something secret",
      cache_ttl: 0,
    },
  });
  await openAdmin().mcpServers.create({
    name: freshName("mcp"),
    project_id: projectId,
    app_agent_id: agentId,
    token_introspect_id,
    enabled: true,
    scopes_supported: ["cars"],
  });
};

/** @returns the id of the query that reads a person's own cars */
const saveCarPolicies = async (projectId: string): Promise<string> => {
  const subject = { type: "Person" };
  const kbac = {
    meta: { policy_version: "2.0-kbac" },
    subject,
    actions: ["DRIVE"],
    resource: { type: "Car" },
    condition: { cypher: "MATCH (subject:Person)-[:OWNS]->(resource:Car)" },
  };
  await savePolicy(projectId, { policy: kbac });
  const reads = { nodes: ["car.external_id"] };
  const ciq = {
    meta: { policy_version: "1.0-ciq" },
    subject,
    condition: { cypher: ownCars },
    allowed_reads: reads,
  };
  const policyId = await savePolicy(projectId, { policy: ciq });
  return saveQuery(projectId, { policyId, query: reads });
};

const captureOwner = async (tenant: Tenant): Promise<void> => {
  const [ann, red] = [
    { type: "Person", external_id: "ann" },
    { type: "Car", external_id: "red" },
  ];
  await capture({ nodes: [ann, red], relationships: [{ source: ann, target: red, type: "OWNS" }] }, tenant);
};

const createTrusting = async (): Promise<Trusting> => {
  const idp = await startIssuerServer(testHost());
  const proxy = await openFaultyProxy({ host: testHost(), port: idp.port });
  // Discovery names its other addresses behind it: everything goes through the proxy.
  idp.issuer = `http://127.0.0.1:${proxy.port}`;
  idp.introspection = { active: true, sub: "ann" };
  const tenant = await createTenant("external-connections");
  await trustIssuer(tenant, idp);
  const queryId = await saveCarPolicies(tenant.projectId);
  await captureOwner(tenant);
  await takeEffect();
  return {
    ...tenant,
    idp,
    proxy,
    queryId,
    remove: async () => {
      await tenant.remove();
      await proxy.close();
      await idp.close();
    },
  };
};

type Ask = (bearer: string) => Promise<Answer>;

/** Where a bearer is judged, with what is answered to a good one; each service asks the issuer itself. */
const asksOf = (
  trusting: Trusting,
): readonly (readonly [name: string, audience: string, ask: Ask, right: unknown])[] => {
  const { key, projectId, queryId } = trusting;
  const decide: Ask = (bearer) => {
    const resource = { type: "Car", id: "red" };
    const json = { subject: { type: "Person", id: "ann" }, action: { name: "DRIVE" }, resource };
    return withKey("/access/v1/evaluation", { key, bearer }, { json });
  };
  const execute: Ask = (bearer) =>
    withKey("/ciq/v1/execute", { key, bearer }, { json: { id: queryId, input_params: {} } });
  const tools: Ask = (token) => modernCall(projectId, "tools/list", {}, { token });
  const rows = { data: [{ nodes: { "car.external_id": "red" } }] };
  return [
    ["access by keys", "discovered", decide, { decision: true }],
    ["access by word", "introspected", decide, { decision: true }],
    ["ciq by keys", "discovered", execute, rows],
    ["ciq by word", "introspected", execute, rows],
    ["mcp by keys", "discovered", tools, { result: { tools: expect.any(Array) } }],
  ];
};

const claims = (idp: IssuerServer, aud: string, more: object = {}) => {
  const now = Math.floor(Date.now() / 1_000);
  return {
    iss: idp.issuer,
    aud,
    sub: "ann",
    iat: now - 10,
    exp: now + 300,
    jti: freshName("token"),
    ...more,
  };
};

describe("a token issuer", () => {
  it.each(states)(
    "%j: a token is judged or it is not, and a forged one never opens anything",
    async (state) => {
      const trusting = await createTrusting();
      try {
        const { idp, proxy } = trusting;
        const asks = asksOf(trusting);
        proxy.state = state;
        await Promise.all(
          asks.map(async ([name, audience, ask, right]) => {
            for (const forged of [true, false]) {
              const bearer = await idp.sign(claims(idp, audience), { forged });
              const { answer, ms } = await timed(() => ask(bearer));
              const { status, headers, body, text } = answer;
              const about = `${name}, ${forged ? "forged" : "good"}: ${status} ${text.slice(0, 300)}`;
              expect({ about, inTime: ms < issuerMs + slackMs }).toEqual({ about, inTime: true });
              const wanted = isBroken(state) ? 503 : forged ? 401 : 200;
              expect({ about, status }).toEqual({ about, status: wanted });
              expect({ about, retryAfter: headers.get("retry-after") }).toEqual({
                about,
                retryAfter: wanted === 503 ? "5" : null,
              });
              if (wanted === 200) expect({ about, body }).toMatchObject({ about, body: right });
            }
          }),
        );
        expect(proxy.accepted).toBeGreaterThan(0);
        proxy.state = "through";
        await Promise.all(
          asks.map(([, audience, ask]) =>
            eventually(
              async () => ask(await idp.sign(claims(idp, audience))),
              ({ status }) => status === 200,
              comesBack,
            ),
          ),
        );
      } finally {
        await trusting.remove();
      }
    },
    180_000,
  );

  it("that becomes unavailable leaves its keys: tokens signed with them stay valid, and tokens that it must validate are not verified", async () => {
    const trusting = await createTrusting();
    try {
      const { idp, proxy } = trusting;
      const asks = asksOf(trusting);
      for (const [, audience, ask, right] of asks)
        expect(must(await ask(await idp.sign(claims(idp, audience))), 200)).toMatchObject(right as object);
      proxy.state = "reset";
      for (const [name, audience, ask, right] of asks) {
        const { status, body, headers } = await ask(await idp.sign(claims(idp, audience)));
        if (audience === "discovered")
          expect({ name, status, body }).toMatchObject({ name, status: 200, body: right });
        else expect([name, status, headers.get("retry-after")]).toEqual([name, 503, "5"]);
        const forged = await ask(await idp.sign(claims(idp, audience), { forged: true }));
        expect([name, forged.status]).toEqual([name, 401]);
      }
    } finally {
      await trusting.remove();
    }
  }, 120_000);
});

describe("the server of an external data resolver", () => {
  let tenant: Tenant;
  let server: Server;
  let proxy: FaultyProxy;
  let queryId: string;
  const cars = ["blue", "green", "red"];

  beforeAll(async () => {
    server = createServer((request, response) =>
      response.setHeader("Content-Type", "application/json").end(JSON.stringify({ of: request.url })),
    );
    await once(server.listen(0, "127.0.0.1"), "listening");
    proxy = await openFaultyProxy({ host: "127.0.0.1", port: (server.address() as AddressInfo).port }); // of TCP
    tenant = await createTenant("external-connections");
    const { projectId } = tenant;
    const nodes = cars.map((external_id) => ({
      type: "Car",
      external_id,
      properties: [{ type: "price", external_value: "prices" }],
    }));
    await capture({ nodes }, tenant);
    const policyId = await savePolicy(projectId, {
      policy: {
        meta: { policy_version: "1.0-ciq" },
        subject: { type: "_Application" },
        condition: { cypher: "MATCH (subject:_Application) MATCH (car:Car)" },
        allowed_reads: { nodes: ["car.*"] },
      },
    });
    queryId = await saveQuery(projectId, {
      policyId,
      query: { nodes: ["car.external_id", "car.property.price"] },
    });
  }, 60_000);
  afterAll(async () => {
    await tenant?.remove();
    await proxy?.close();
    server?.closeAllConnections();
    server?.close();
  });

  interface Rows {
    readonly data: readonly { readonly nodes: Readonly<Record<string, unknown>> }[];
    readonly errors?: readonly { readonly row: number; readonly reason: string }[];
  }
  const execute = () => tryExecute({ id: queryId, input_params: {} }, tenant);

  /** A resolver with a closed circuit: one of its own for each test. */
  const saveResolver = async (): Promise<string> => {
    const { id } = await openAdmin().resolvers.create({
      project_id: tenant.projectId,
      name: "prices",
      url: `http://127.0.0.1:${proxy.port}/{$_externalId}`,
      method: "GET",
      request_content_type: "JSON",
      response_content_type: "JSON",
      response_selector: ".of",
    });
    await takeEffect();
    return id;
  };

  /** Every row, each with its own value or with none and the reason for that. */
  const expectRows = ({ status, body, text }: Answer, reasons: readonly string[]): void => {
    expect([status, text]).toEqual([200, text]);
    const { data, errors = [] } = body as Rows; // of a success
    const prices = data.map(({ nodes }) => [nodes["car.external_id"], nodes["car.property.price"]]);
    expect(prices).toHaveLength(cars.length);
    expect(Object.fromEntries(prices)).toEqual(
      Object.fromEntries(cars.map((car) => [car, reasons.length > 0 ? null : `/${car}`])),
    );
    expect(new Set(errors.map(({ row }) => row))).toEqual(new Set(reasons.length > 0 ? [0, 1, 2] : []));
    expect(errors.filter(({ reason }) => !reasons.includes(reason))).toEqual([]);
  };

  const reasonOf = (state: ProxyState): string[] =>
    state === "reset" || state === "lost" ? ["upstream_unreachable"] : ["upstream_timeout"];

  it.each(states)(
    "%j: no row is lost, and a value that cannot be had says why",
    async (state) => {
      const id = await saveResolver();
      try {
        proxy.state = state;
        const { answer, ms } = await timed(execute);
        expectRows(answer, isBroken(state) ? reasonOf(state) : []);
        expect(ms).toBeLessThan(resolverCallMs + slackMs);
        proxy.state = "through";
        // As few failures as these open no circuit.
        expectRows(await execute(), []);
      } finally {
        proxy.state = "through";
        await openAdmin().resolvers.delete(id);
      }
    },
    60_000,
  );

  it("is left in peace while its circuit is open, and asked again afterwards", async () => {
    const id = await saveResolver();
    try {
      proxy.state = "lost";
      for (let times = 0; times < 3; times++)
        expectRows(await execute(), ["upstream_unreachable", "circuit_open"]);
      const before = proxy.accepted;
      const { answer, ms } = await timed(execute);
      expectRows(answer, ["circuit_open"]);
      expect(ms).toBeLessThan(resolverCallMs);
      expect(proxy.accepted).toBe(before);
      proxy.state = "through";
      await eventually(execute, ({ body }) => (body as Rows).errors === undefined, comesBack);
      expectRows(await execute(), []);
    } finally {
      proxy.state = "through";
      await openAdmin().resolvers.delete(id);
    }
  }, 90_000);
});
