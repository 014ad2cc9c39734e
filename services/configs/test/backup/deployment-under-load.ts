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

/** A deployment on a database of its own: configs, capture and audit as processes. */
export const startDeployment = async (): Promise<Deployment> => {
  const neo4j = await openKillable();
  const variables = {
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
  };
  const running: ServiceProcess[] = [];
  for (const name of ["configs", "capture", "audit"] as const)
    running.push(await startServiceProcess(name, variables));
  const [configs, capture] = running;
  const sign = signInternalContext(gatewayOfTests.privateKey, "gateway");
  const organization = newGid("organization");
  const account = newGid("service_account");

  const graph = connectGraph({ uri: neo4j.url, username: neo4j.username, password: neo4j.password });
  const r = { id: organization, kind: "organization", organization_id: organization, name: "load" };
  const by = { created_by: account, updated_by: account };
  const more = { version: 1, etag: "e", create_time: "", update_time: "", data: "{}", ...by };
  await graph.shared.write(
    (tx) => tx.run("CREATE (r:_Record:_Organization) SET r = $r, r += $more", { r, more }),
    { timeoutMs: 60_000 },
  );
  await graph.close();

  const send = async (
    at: ServiceProcess | undefined,
    service: ServiceName,
    caller: Caller,
    method: string,
    path: string,
    body?: object,
  ): Promise<Record<string, unknown>> => {
    const response = await fetch(`${at?.url}${path}`, {
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
  const configure: Deployment["configs"] = (method, path, body) =>
    send(
      configs,
      "configs",
      {
        kind: "service_account",
        credential_kid: "test",
        org: organization,
        service_account: account,
        role: "all_editor",
      },
      method,
      `/configs/v1${path}`,
      body,
    );
  const agentOf = (project: Gid): Caller => ({
    kind: "agent",
    credential_kid: "test",
    org: organization,
    project,
    application: newGid("application"),
    agent: newGid("application_agent"),
    permissions: ["Capture"],
  });
  const write: Deployment["write"] = async (project, pairs, version) => {
    const caller = agentOf(project);
    const properties = [{ type: "version", value: version }];
    const ends = ["a", "b"] as const;
    const node = (pair: number, end: string) => ({ type: "Pair", external_id: `${pair}-${end}` });
    await send(capture, "capture", caller, "POST", "/capture/v1/nodes", {
      nodes: pairs.flatMap((pair) => ends.map((end) => ({ ...node(pair, end), properties }))),
    });
    await send(capture, "capture", caller, "POST", "/capture/v1/relationships", {
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
  return {
    neo4j,
    variables,
    organization,
    configs: configure,
    project: async (name) =>
      (await configure("POST", "/projects", { organization_id: organization, name }))["id"] as Gid,
    write,
    load: async (project, pairs, signal, pauseMs) => {
      const acknowledged: Acknowledged[] = [];
      for (let version = 1; !signal.aborted; version++) {
        const pair = pairs[version % pairs.length] ?? 0;
        await write(project, [pair], version);
        acknowledged.push({ project, pair, version, at: Date.now() });
        await wait(pauseMs);
      }
      return acknowledged;
    },
    configure: async (project, signal, pauseMs) => {
      const created: Created[] = [];
      for (let number = 0; !signal.aborted; number++) {
        const { id } = await configure("POST", "/applications", {
          project_id: project,
          name: `application-${number}`,
        });
        created.push({ id: String(id), project, at: Date.now() });
        await wait(pauseMs);
      }
      return created;
    },
    close: async () => {
      for (const each of running) await each.running.end("SIGKILL");
      await neo4j.remove();
    },
  };
};
