import { hash, randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { newGid } from "@ikg/contracts";
import { inParallel } from "../../../stack/src/measurement/in-parallel.ts";
import { services, type ServiceName } from "../../../stack/src/services/service-names.ts";
import { createTenant, type Tenant } from "../../src/configuration/tenant.ts";
import { environment } from "../../src/environment.ts";
import { send } from "../../src/requests/send.ts";
import { backendSettings, type Process, startBeside } from "../../src/suites/start-beside.ts";
import { type ForgedCall, forgedContext, forgedContexts } from "../../src/tokens/forged-contexts.ts";

/**
 * With the environment of one service in hand, as the stack starts it, a test calls every service as another service. Only the
 * gateway's lets it.
 */
const unreachable = "http://127.0.0.1:1";
const targets = ["access", "capture", "ciq", "configs", "audit", "mcp"] as const;
type Target = (typeof targets)[number];

let tenant: Tenant;
const processes = new Map<Target, Process>();

beforeAll(async () => {
  tenant = await createTenant("forged");
  await Promise.all(
    targets.map(async (name) => {
      const settings = { UPSTREAM_ACCESS: unreachable, UPSTREAM_CIQ: unreachable, DRAIN_DELAY_MS: "0" };
      processes.set(name, await startBeside(name, { PUBLIC_URL: environment().base_url, ...settings }));
    }),
  );
}, 180_000);

afterAll(async () => {
  await Promise.all([...processes.values()].map((each) => each.stop()));
  await tenant.remove();
}, 60_000);

/** Who is spoken for. */
const agent = () => ({
  kind: "agent",
  credential_kid: "forged0000000000",
  org: environment().organization_id,
  project: tenant.projectId,
  application: tenant.applicationId,
  agent: tenant.agentId,
  permissions: ["Authorization", "Capture", "ContXIQ", "Audit"],
});
const agentForUser = () => ({
  ...agent(),
  user: { subject: "ann", claims: {}, configId: "c", nodeType: "Person" },
});
const account = () => ({
  kind: "service_account",
  credential_kid: "forged0000000000",
  org: environment().organization_id,
  service_account: tenant.agentId,
  role: "all_editor",
});

interface Call {
  readonly target: Target;
  readonly method: string;
  readonly route: string;
  readonly path?: () => string;
  readonly json?: object;
  /** Whom a service lets make this call, when the gateway says so. */
  readonly callers: Readonly<Record<string, () => object | undefined>>;
}

const forUser = "agent for a user";

const question = {
  subject: { type: "Person", id: "ann" },
  action: { name: "DRIVE" },
  resource: { type: "Car", id: "red" },
};

const calls: Readonly<Record<string, Call>> = {
  "a decision": {
    target: "access",
    method: "POST",
    route: "/access/v1/evaluation",
    json: question,
    callers: { agent, [forUser]: agentForUser },
  },
  "decisions in a batch": {
    target: "access",
    method: "POST",
    route: "/access/v1/evaluations",
    json: { evaluations: [question] },
    callers: { agent, [forUser]: agentForUser },
  },
  "a query": {
    target: "ciq",
    method: "POST",
    route: "/ciq/v1/execute",
    json: { id: "none" },
    callers: { agent, [forUser]: agentForUser },
  },
  "a capture": {
    target: "capture",
    method: "POST",
    route: "/capture/v1/nodes",
    json: { nodes: [] },
    callers: { agent, [forUser]: agentForUser },
  },
  "a change of configuration": {
    target: "configs",
    method: "PUT",
    route: "/configs/v1/projects/:id",
    path: () => `/configs/v1/projects/${tenant.projectId}`,
    json: { description: "forged" },
    callers: { "service account": account },
  },
  "an audit trail": {
    target: "audit",
    method: "GET",
    route: "/audit/v1/logs",
    path: () => `/audit/v1/logs?project_id=${tenant.projectId}`,
    callers: { agent, "service account": account },
  },
  "a client's address": {
    target: "mcp",
    method: "POST",
    route: "/mcp/v1/:project",
    path: () => `/mcp/v1/${tenant.projectId}`,
    json: {},
    callers: { nobody: () => undefined },
  },
};

const refusal = "internal context missing or not valid";

/** Sends a call with a context. @returns whether the service accepted it. */
const isAccepted = async (
  { target, method, route, path, json }: Call,
  context: string,
  more: Readonly<Record<string, string>> = {},
): Promise<boolean> => {
  const base = `http://127.0.0.1:${processes.get(target)?.port ?? 1}`;
  const { status, body, text } = await send(path?.() ?? route, {
    base,
    method,
    headers: { "X-Internal-Call": context, ...more },
    ...(json === undefined ? {} : { json }),
  });
  if (status === 404 && text.includes("Not Found") && target !== "mcp" && target !== "ciq")
    throw new Error(`${route} is no endpoint of ${target}: ${text}`);
  return !(status === 503 && JSON.stringify(body).includes(refusal));
};

const forgedFor = ({ target: service, method, route }: Call, caller: object | undefined): ForgedCall => ({
  service,
  method,
  route,
  caller,
});

/** Every call with every caller that an environment makes a service accept. */
const callsAcceptedWith = async (name: ServiceName): Promise<readonly string[]> => {
  const own = backendSettings(name);
  const attempts = Object.entries(calls).flatMap(([what, call]) =>
    Object.entries(call.callers).map(([who, caller]) => ({ what: `${what}, ${who}`, call, caller })),
  );
  const names = await inParallel(attempts, async ({ what, call, caller }) => {
    for (const context of await forgedContexts(own, forgedFor(call, caller())))
      if (await isAccepted(call, context)) return [what];
    return [];
  });
  return names.flat().toSorted();
};

/** A user is named by mcp alone. */
const everything = Object.entries(calls)
  .flatMap(([what, { callers }]) => Object.keys(callers).map((who) => `${what}, ${who}`))
  .filter((each) => !each.endsWith(forUser))
  .toSorted();

describe("with the secrets of one service", () => {
  it.each(services.filter((name) => name !== "gateway" && name !== "mcp"))(
    "%s: no other service can be spoken for",
    async (name) => {
      expect(await callsAcceptedWith(name)).toEqual([]);
    },
    120_000,
  );

  it("mcp: it cannot make its own two calls either, without a client that has come with a bearer", async () => {
    expect(await callsAcceptedWith("mcp")).toEqual([]);
  }, 120_000);

  it("gateway: it can speak for every caller, so these calls are answered when they are stated rightly", async () => {
    expect(await callsAcceptedWith("gateway")).toEqual(everything);
  }, 120_000);

  it.each(services)("%s: nothing but its own keys is there", (name) => {
    const own = backendSettings(name);
    const signing = Object.keys(own).filter((key) => key.endsWith("_SIGNING_KEY"));
    expect(signing).toEqual(
      name === "gateway" ? ["GATEWAY_SIGNING_KEY"] : name === "mcp" ? ["MCP_SIGNING_KEY"] : [],
    );
    expect("CREDENTIAL_PEPPER" in own).toBe(name === "gateway" || name === "configs");
    expect("INTERNAL_CONTEXT_KEY" in own).toBe(false);
  });
});

describe("mcp, when a client has come to the endpoint of a project with a bearer", () => {
  const bearer = "aaa.bbb.ccc";

  /** The gateway's context of that request, which it signs for mcp alone. */
  const originOf = async (project: string): Promise<string> => {
    const { GATEWAY_SIGNING_KEY: key = "" } = backendSettings("gateway");
    const call = { service: "mcp", method: "POST", route: "/mcp/v1/:project", caller: undefined };
    const claims = { mcp_origin: { project, bearer: hash("sha256", bearer, "hex") } };
    return forgedContext(key, call, claims);
  };

  const both = ["a decision", "a query"];

  it.each<[string, () => string, string, readonly string[]]>([
    ["in another project than the one that was called", () => newGid("project"), bearer, both],
    ["with another bearer", () => tenant.projectId, "ddd.eee.fff", both],
    // ciq looks for the query first, and there is none.
    ["as an agent that is not the one of the MCP server", () => tenant.projectId, bearer, ["a decision"]],
  ])("calls in its name %s are refused", async (_what, project, sent, names) => {
    const more = { "X-Internal-Origin": await originOf(project()), Authorization: `Bearer ${sent}` };
    for (const name of names) {
      const call = calls[name] as Call; // of the table
      for (const context of await forgedContexts(backendSettings("mcp"), forgedFor(call, agentForUser())))
        expect(await isAccepted(call, context, more)).toBe(false);
    }
  });
});

describe("a context of the gateway", () => {
  it("is of no use at another endpoint of its service, nor at another service", async () => {
    const own = backendSettings("gateway");
    const wrong: string[] = [];
    for (const [what, call] of Object.entries(calls))
      for (const [other, there] of Object.entries(calls)) {
        if (what === other) continue;
        const [caller] = Object.values(there.callers);
        for (const context of await forgedContexts(own, forgedFor(call, caller?.())))
          if (await isAccepted(there, context)) wrong.push(`${what} as ${other}`);
      }
    expect(wrong).toEqual([]);
  }, 120_000);

  it("is of no use with another method", async () => {
    const route = "/configs/v1/projects/:id";
    const path = () => `/configs/v1/projects/${tenant.projectId}`;
    const call: Call = { target: "configs", method: "GET", route, path, callers: {} };
    const forPut = { ...forgedFor(call, account()), method: "PUT" };
    for (const context of await forgedContexts(backendSettings("gateway"), forPut))
      expect(await isAccepted(call, context)).toBe(false);
  });

  it("of an unknown key is of no use", async () => {
    const call = calls["a decision"] as Call; // of the table
    const random = { ANY: randomBytes(32).toString("base64") };
    for (const context of await forgedContexts(random, forgedFor(call, agent())))
      expect(await isAccepted(call, context)).toBe(false);
  });
});
