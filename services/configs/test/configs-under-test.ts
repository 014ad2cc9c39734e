import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { internalContextHeader, signInternalContext } from "@ikg/auth";
import { changesChannel, type Gid, newGid, type Role } from "@ikg/contracts";
import { connectGraph, type Graph } from "@ikg/graph";
import {
  graphRemovalLabel,
  projectKey,
  projectLabel,
  recordLabel,
  recordLabels,
  versionLabel,
} from "@ikg/physical";
import { graphSettings } from "@ikg/service";
import { Redis } from "ioredis";
import { openConfigs } from "../src/service.ts";
import { ConfigsSettings } from "../src/settings.ts";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Bodies are looked into by the tests, field by field. */
  readonly body: Record<string, unknown> & { message?: string; errors?: string[] };
  readonly text: string;
}

/** Members of a record that nearly every test needs. */
export interface Made {
  readonly id: Gid;
  readonly name: string;
  readonly etag: string;
  readonly body: Answer["body"];
}

/** One organization with a service account that acts for it. */
export interface Tenant {
  readonly organization: Gid;
  readonly account: Gid;
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** The same organization seen by an account of another role. */
  as(role: Role): Tenant;
  /** The same account at another process with the same keys. */
  at(url: string): Tenant;
  /** Creates a record and expects 201. */
  make(path: string, body: object): Promise<Made>;
  project(name?: string): Promise<Made>;
}

export interface ConfigsUnderTest {
  readonly graph: Graph;
  readonly url: string;
  /** With it, another process is one of the same deployment. */
  readonly environment: Readonly<Record<string, string>>;
  readonly pepper: Buffer;
  tenant(): Promise<Tenant>;
  /** Announcements heard since the start. */
  readonly changes: readonly Record<string, unknown>[];
  /** The announcements about a record, once there are that many; at most 2 s, as long as a change may take. */
  changesOf(id: string, count: number): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
}

export const required = (name: string): string => {
  const value = process.env[name];
  if (value === undefined || value === "")
    throw new Error(
      `${name} is not set: integration tests need a Neo4j and a Redis (npm test provides them)`,
    );
  return value;
};

const options = { timeoutMs: 80_000 };
let counter = 0;

/** A name that no other record of the test has. */
export const freshName = (): string => `n${process.pid}-${(counter++).toString(36)}-x`;

/** The environment of a configs process on the Neo4j and Redis of the test, with keys of its own. */
export const environmentOfTest = (): Record<string, string> => ({
  PORT: "0",
  LOG_LEVEL: "error",
  NEO4J_URI: required("NEO4J_URI"),
  NEO4J_USERNAME: required("NEO4J_USERNAME"),
  NEO4J_PASSWORD: required("NEO4J_PASSWORD"),
  REDIS_URL: required("REDIS_URL"),
  INTERNAL_CONTEXT_KEY: randomBytes(32).toString("base64"),
  CREDENTIAL_PEPPER: randomBytes(32).toString("base64"),
  CONFIG_ENCRYPTION_KEY: randomBytes(32).toString("base64"),
  PUBLIC_URL: "https://ikg.example",
});

export const settingsOfTest = (): ConfigsSettings => ConfigsSettings.parse(environmentOfTest());

/** Starts the service in this process, on a free port, on the Neo4j and Redis of the environment. */
export const startConfigs = async (
  more: Readonly<Record<string, string>> = {},
): Promise<ConfigsUnderTest> => {
  const environment = { ...environmentOfTest(), ...more };
  const settings = ConfigsSettings.parse(environment);
  const service = await openConfigs(settings);
  const { port } = await service.listen();
  const url = `http://127.0.0.1:${port}`;
  const sign = signInternalContext(settings.INTERNAL_CONTEXT_KEY);
  const graph = connectGraph(graphSettings(settings));
  const organizations: Gid[] = [];
  const keys = new Set<string>();
  const changes: Record<string, unknown>[] = [];
  const subscriber = new Redis(settings.REDIS_URL);
  // Other tests share the channel, one of them with messages that are none.
  subscriber.on("message", (_channel, message) => {
    if (message.startsWith("{")) changes.push(JSON.parse(message) as Record<string, unknown>);
  });
  await subscriber.subscribe(changesChannel);

  /** Project keys outlive their records; what the test made is removed by them. */
  const noteKeys = async (): Promise<void> => {
    const rows = await graph.shared.read(
      `MATCH (p:${recordLabels.project}) WHERE p.organization_id IN $organizations AND p.pk IS NOT NULL RETURN p.pk AS pk`,
      { organizations },
      options,
    );
    for (const row of rows) keys.add(String(row["pk"]));
  };

  const tenantOf = (organization: Gid, account: Gid, role: Role, base = url): Tenant => {
    const caller = {
      kind: "service_account",
      credential_kid: "test",
      org: organization,
      service_account: account,
      role,
    } as const;
    const send: Tenant["send"] = async (method, path, body, headers = {}) => {
      const answer = await fetch(`${base}/configs/v1${path}`, {
        method,
        headers: {
          // Signed for each request: a context lives for a minute, and tests may take longer.
          [internalContextHeader]: await sign(caller, "configs"),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
      });
      const text = await answer.text();
      const parsed = JSON.parse(text) as Answer["body"];
      return { status: answer.status, headers: answer.headers, text, body: parsed };
    };
    const make: Tenant["make"] = async (path, body) => {
      let answer = await send("POST", path, body);
      // Nothing was done; what a test sets up is asked for again on a busy machine.
      for (let tries = 1; answer.status === 503 && tries < 4; tries += 1) {
        await wait(1_000 * Number(answer.headers.get("retry-after") ?? 1));
        answer = await send("POST", path, body);
      }
      if (answer.status !== 201) throw new Error(`POST ${path}: ${answer.status} ${answer.text}`);
      if (path === "/projects") await noteKeys();
      return {
        id: answer.body["id"] as Gid,
        name: String(answer.body["name"]),
        etag: answer.headers.get("etag") ?? "",
        body: answer.body,
      };
    };
    return {
      organization,
      account,
      send,
      as: (other) => tenantOf(organization, newGid("service_account"), other),
      at: (other) => tenantOf(organization, account, role, other),
      make,
      project: (name = freshName()) => make("/projects", { organization_id: organization, name }),
    };
  };

  return {
    graph,
    url,
    environment,
    pepper: settings.CREDENTIAL_PEPPER,
    changes,
    changesOf: async (id, count) => {
      const about = (): Record<string, unknown>[] => changes.filter((change) => change["id"] === id);
      for (const until = Date.now() + 2_000; about().length < count && Date.now() < until;) await wait(10);
      return about();
    },
    tenant: async () => {
      const organization = newGid("organization");
      const account = newGid("service_account");
      organizations.push(organization);
      const now = new Date().toISOString();
      await graph.shared.write(
        (tx) =>
          tx.run(`CREATE (r:${recordLabel}:${recordLabels.organization}) SET r = $fields`, {
            fields: {
              id: organization,
              kind: "organization",
              organization_id: organization,
              name: "test",
              version: 1,
              etag: "e",
              create_time: now,
              update_time: now,
              created_by: account,
              updated_by: account,
              data: "{}",
            },
          }),
        options,
      );
      return tenantOf(organization, account, "all_editor");
    },
    close: async () => {
      await noteKeys();
      await service.close();
      await graph.shared.write(async (tx) => {
        for (const pk of keys) {
          await tx.run(`MATCH (n:${projectLabel(projectKey(pk))}) DETACH DELETE n`, {});
          await tx.run(`MATCH (n:${graphRemovalLabel} {pk: $pk}) DELETE n`, { pk });
        }
        await tx.run(`MATCH (n:${graphRemovalLabel}) WHERE n.connection IS NOT NULL DELETE n`, {});
        for (const label of [recordLabel, versionLabel])
          await tx.run(`MATCH (r:${label}) WHERE r.organization_id IN $organizations DETACH DELETE r`, {
            organizations,
          });
      }, options);
      await graph.close();
      subscriber.disconnect();
    },
  };
};

/** Texts that the language takes. */
export const kbacText = (action = "READ"): string =>
  JSON.stringify({
    meta: { policy_version: "2.0-kbac" },
    subject: { type: "Person" },
    actions: [action],
    resource: { type: "Car" },
    condition: { cypher: "MATCH (subject:Person)-[:OWNS]->(resource:Car)" },
  });

export const ciqText = (): string =>
  JSON.stringify({
    meta: { policy_version: "1.0-ciq" },
    subject: { type: "Person" },
    condition: { cypher: "MATCH (subject:Person)-[:OWNS]->(car:Car)" },
    allowed_reads: { nodes: ["car.property.price", "car.external_id"] },
  });

export const queryText = (): string => JSON.stringify({ nodes: ["car.property.price"] });
