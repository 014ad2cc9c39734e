import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { internalContextHeader, signInternalContext } from "@ikg/auth";
import { type Caller, type Gid, newGid, type ServiceName } from "@ikg/contracts";
import { connectGraph } from "@ikg/graph";
import { gatewayOfTests, keysOfTests, targetOf } from "../../../../stack/src/testing/internal-contexts.ts";
import { type Killable, openKillable } from "../../../../stack/src/testing/servers/killable.ts";
import {
  type ServiceProcess,
  startServiceProcess,
} from "../../../../stack/src/testing/servers/service-process.ts";
import { requireVariable } from "../../../../stack/src/testing/test-environment.ts";

/** A write that was acknowledged: what it was, and when the answer came. */
export interface Acknowledged {
  readonly project: Gid;
  readonly pair: number;
  readonly version: number;
  readonly at: number;
}

/** A record that was created, and when the answer came. */
export interface Created {
  readonly id: string;
  readonly project: Gid;
  readonly at: number;
}

export interface Deployment {
  readonly neo4j: Killable;
  readonly variables: Readonly<Record<string, string>>;
  readonly organization: Gid;
  configs(method: string, path: string, body?: object): Promise<Record<string, unknown>>;
  project(name: string): Promise<Gid>;
  /** Writes pairs of nodes that always have the same version, with a relationship each way. */
  write(project: Gid, pairs: readonly number[], version: number): Promise<void>;
  /** Keeps writing to these pairs in turn until it is aborted; versions of a pair rise only if no other load writes to it. */
  load(
    project: Gid,
    pairs: readonly number[],
    signal: AbortSignal,
    pauseMs: number,
  ): Promise<readonly Acknowledged[]>;
  /** Keeps creating applications until it is aborted. */
  configure(project: Gid, signal: AbortSignal, pauseMs: number): Promise<readonly Created[]>;
  close(): Promise<void>;
}

/** Of these tests alone. */
const redisDatabase = 9;

/** Writes the organization that calls belong to. */
const writeOrganization = async (neo4j: Killable, organization: Gid, account: Gid): Promise<void> => {
  const graph = connectGraph({ uri: neo4j.url, username: neo4j.username, password: neo4j.password });
  const r = { id: organization, kind: "organization", organization_id: organization, name: "load" };
  const by = { created_by: account, updated_by: account };
  const more = { version: 1, etag: "e", create_time: "", update_time: "", data: "{}", ...by };
  await graph.shared.write(
    (tx) => tx.run("CREATE (r:_Record:_Organization) SET r = $r, r += $more", { r, more }),
    { timeoutMs: 60_000 },
  );
  await graph.close();
};

const sign = signInternalContext(gatewayOfTests.privateKey, "gateway");

/** Sends a request to a service as the gateway would. @throws Error for a response that is not 2xx */
const sendTo =
  (service: ServiceName, url: string | undefined) =>
  async (caller: Caller, method: string, path: string, body?: object): Promise<Record<string, unknown>> => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        [internalContextHeader]: await sign(caller, targetOf(service, method, path)),
        "content-type": "application/json",
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text) as Record<string, unknown>;
  };

const ends = ["a", "b"] as const;
const node = (pair: number, end: string) => ({ type: "Pair", external_id: `${pair}-${end}` });

const writePairs =
  (capture: ReturnType<typeof sendTo>, organization: Gid): Deployment["write"] =>
  async (project, pairs, version) => {
    const caller: Caller = {
      kind: "agent",
      credential_kid: "test",
      org: organization,
      project,
      application: newGid("application"),
      agent: newGid("application_agent"),
      permissions: ["Capture"],
    };
    const properties = [{ type: "version", value: version }];
    await capture(caller, "POST", "/capture/v1/nodes", {
      nodes: pairs.flatMap((pair) => ends.map((end) => ({ ...node(pair, end), properties }))),
    });
    await capture(caller, "POST", "/capture/v1/relationships", {
      relationships: pairs.flatMap((pair) =>
        ends.map((end) => ({
          source: node(pair, end),
          target: node(pair, end === "a" ? "b" : "a"),
          type: "TWIN",
          properties,
        })),
      ),
    });
  };

const keepWriting =
  (write: Deployment["write"]): Deployment["load"] =>
  async (project, pairs, signal, pauseMs) => {
    const acknowledged: Acknowledged[] = [];
    for (let version = 1; !signal.aborted; version++) {
      const pair = pairs[version % pairs.length] ?? 0;
      await write(project, [pair], version);
      acknowledged.push({ project, pair, version, at: Date.now() });
      await wait(pauseMs);
    }
    return acknowledged;
  };

const keepConfiguring =
  (configs: Deployment["configs"]): Deployment["configure"] =>
  async (project, signal, pauseMs) => {
    const created: Created[] = [];
    for (let number = 0; !signal.aborted; number++) {
      const name = `application-${number}`;
      const { id } = await configs("POST", "/applications", { project_id: project, name });
      created.push({ id: String(id), project, at: Date.now() });
      await wait(pauseMs);
    }
    return created;
  };

const variablesOf = (neo4j: Killable): Readonly<Record<string, string>> => ({
  PORT: "0",
  LOG_LEVEL: "error",
  NEO4J_URI: neo4j.url,
  NEO4J_USERNAME: neo4j.username,
  NEO4J_PASSWORD: neo4j.password,
  REDIS_URL: `${requireVariable("REDIS_URL").replace(/\/\d+$/, "")}/${redisDatabase}`,
  ...keysOfTests,
  CREDENTIAL_PEPPER: randomBytes(32).toString("base64"),
  CONFIG_ENCRYPTION_KEY: randomBytes(32).toString("base64"),
  PUBLIC_URL: "https://ikg.example",
  AUDIT_BATCH_MS: "200",
  AUDIT_POLL_MS: "50",
  DRAIN_DELAY_MS: "0",
  // The data stays as a former build left it.
  MIGRATION_DELAY_SECONDS: "3600",
});

/** A deployment on a database of its own: configs, capture and audit as processes. */
export const startDeployment = async (): Promise<Deployment> => {
  const neo4j = await openKillable();
  const variables = variablesOf(neo4j);
  const running: ServiceProcess[] = [];
  for (const name of ["configs", "capture", "audit"] as const)
    running.push(await startServiceProcess(name, variables));
  const organization = newGid("organization");
  const account = newGid("service_account");
  await writeOrganization(neo4j, organization, account);
  const owner: Caller = {
    kind: "service_account",
    credential_kid: "test",
    org: organization,
    service_account: account,
    role: "all_editor",
  };
  const toConfigs = sendTo("configs", running[0]?.url);
  const configs: Deployment["configs"] = (method, path, body) =>
    toConfigs(owner, method, `/configs/v1${path}`, body);
  const write = writePairs(sendTo("capture", running[1]?.url), organization);
  return {
    neo4j,
    variables,
    organization,
    configs,
    project: async (name) =>
      (await configs("POST", "/projects", { organization_id: organization, name }))["id"] as Gid,
    write,
    load: keepWriting(write),
    configure: keepConfiguring(configs),
    close: async () => {
      for (const each of running) await each.running.end("SIGKILL");
      await neo4j.remove();
    },
  };
};
