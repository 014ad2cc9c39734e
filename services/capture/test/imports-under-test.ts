import { randomBytes, randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { internalContextHeader, signInternalContext } from "@ikg/auth";
import {
  defaultOrganizationNames,
  effectiveLimits,
  type Gid,
  type Import,
  newGid,
  type ProjectLimits,
  type RejectedLines,
} from "@ikg/contracts";
import { connectGraph, type Graph } from "@ikg/graph";
import { openNames } from "@ikg/names";
import { newProjectKey, type ProjectKey, projectLabel, stagedLabels, stagedPrefix } from "@ikg/physical";
import { BaseSettings, graphSettings, type Service, startService } from "@ikg/service";
import { type ImportParts, importParts } from "../src/imports/imports.ts";
import type { UploadSettings } from "../src/imports/upload-bounds.ts";
import { startImportWorkers } from "../src/imports/worker.ts";
import type { Project } from "../src/projects.ts";
import { importRoutes } from "../src/routes/imports.ts";

export const required = (name: string): string => {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: integration tests need a running backend`);
  return value;
};

/** A line that writes a person. */
export const person = (id: string | number, ...properties: readonly (readonly [string, unknown])[]) => ({
  node: {
    external_id: String(id),
    type: "Person",
    properties: properties.map(([type, value]) => ({ type, value })),
  },
});

/** A line that writes that one person knows another. */
export const knows = (a: string | number, b: string | number, type = "KNOWS") => ({
  relationship: {
    source: { external_id: String(a), type: "Person" },
    target: { external_id: String(b), type: "Person" },
    type,
  },
});

/** The text of lines; a string stands for itself. */
export const linesOf = (lines: readonly unknown[]): string =>
  lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join("");

export interface Answer<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T & { message?: string; errors?: string[] };
}

const timeoutMs = 30_000;

/** One project of a test. */
export interface ImportProject {
  readonly id: Gid;
  readonly pk: ProjectKey;
  send<T = Import>(method: string, path: string): Promise<Answer<T>>;
  upload(
    body: NonNullable<RequestInit["body"]>,
    headers?: Readonly<Record<string, string>>,
    signal?: AbortSignal,
  ): Promise<Answer<Import>>;
  /** Lines, compressed; the id of the import. */
  begin(lines: readonly unknown[]): Promise<string>;
  state(id: string): Promise<Import>;
  /** Waits until an import has ended. */
  ended(id: string, ms?: number, everyMs?: number): Promise<Import>;
  rejected(id: string, query?: string): Promise<RejectedLines>;
  counts(): Promise<{ nodes: number; relationships: number }>;
  /** Chunks and rejected lines that lie in the database. */
  staged(): Promise<number[]>;
  property(id: string, name: string): Promise<unknown>;
}

export interface ImportsUnderTest {
  readonly graph: Graph;
  readonly parts: ImportParts;
  readonly service: Service;
  readonly url: string;
  project(limits?: Partial<ProjectLimits>): ImportProject;
  /** Transactions that had to be repeated so far. */
  repeats(): Promise<number>;
  close(): Promise<void>;
}

/** Callers of one project, whoever serves them. */
export const importProject = (
  { id, pk }: { readonly id: Gid; readonly pk: ProjectKey },
  key: Buffer,
  graph: Graph,
  url: () => string,
): ImportProject => {
  const sign = signInternalContext(key);
  // Made for every call: one lives for a minute.
  const context = (): Promise<string> =>
    sign(
      {
        kind: "agent",
        credential_kid: "test",
        org: newGid("organization"),
        project: id,
        application: newGid("application"),
        agent: newGid("application_agent"),
        permissions: ["Capture"],
      },
      "capture",
    );
  const answered = async <T>(response: Response): Promise<Answer<T>> => ({
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Answer<T>["body"],
  });
  const send = async <T>(method: string, path: string): Promise<Answer<T>> =>
    answered(await fetch(url() + path, { method, headers: { [internalContextHeader]: await context() } }));
  const upload: ImportProject["upload"] = async (body, headers = {}, signal) =>
    answered(
      await fetch(`${url()}/capture/v1/imports`, {
        method: "POST",
        headers: {
          "content-type": "application/x-ndjson",
          [internalContextHeader]: await context(),
          ...headers,
        },
        body,
        ...(signal === undefined ? {} : { signal }),
        ...(body instanceof ReadableStream ? { duplex: "half" } : {}),
      }),
    );
  const state: ImportProject["state"] = async (importId) => {
    const { status, body } = await send<Import>("GET", `/capture/v1/imports/${importId}`);
    if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`);
    return body;
  };
  const one = async (text: string, params: Record<string, unknown>): Promise<Record<string, unknown>> =>
    (await graph.shared.read(text, params, { timeoutMs }))[0] ?? {};
  return {
    id,
    pk,
    send,
    upload,
    begin: async (lines) => {
      const { status, body } = await upload(gzipSync(linesOf(lines)), { "content-encoding": "gzip" });
      if (status !== 202) throw new Error(`${status}: ${JSON.stringify(body)}`);
      return body.id;
    },
    state,
    ended: async (importId, ms = 30_000, everyMs = 50) => {
      for (const until = Date.now() + ms; ; await pause(everyMs)) {
        const now = await state(importId);
        if (!["receiving", "queued", "running"].includes(now.status)) return now;
        if (Date.now() > until) throw new Error(`still ${JSON.stringify(now)}`);
      }
    },
    rejected: async (importId, query = "") =>
      (await send<RejectedLines>("GET", `/capture/v1/imports/${importId}/rejected${query}`)).body,
    counts: async () => {
      const label = projectLabel(pk);
      const { nodes } = await one(`MATCH (n:${label}) RETURN count(n) AS nodes`, {});
      const { relationships } = await one(`MATCH (:${label})-[r]->() RETURN count(r) AS relationships`, {});
      return { nodes: Number(nodes), relationships: Number(relationships) };
    },
    staged: () =>
      Promise.all(
        stagedLabels.map(async (label) => {
          const text = `MATCH (s:${label}) WHERE s.key STARTS WITH $prefix RETURN count(s) AS count`;
          return Number((await one(text, { prefix: stagedPrefix(id) }))["count"]);
        }),
      ),
    property: async (externalId, name) =>
      (
        await one("MATCH (n:_Node {_key: $key}) RETURN n[$name] AS value", {
          key: `${pk}/Person/${externalId}`,
          name,
        })
      )["value"],
  };
};

/** Removes everything of a project. */
export const clearProject = async (graph: Graph, { id, pk }: Pick<Project, "id" | "pk">): Promise<void> => {
  const run = (text: string): Promise<unknown> =>
    graph.shared.write((tx) => tx.run(text, { id, prefix: stagedPrefix(id) }), { timeoutMs: 60_000 });
  for (let left = 1; left > 0;) {
    const rows = await graph.shared.write(
      (tx) =>
        tx.run(`MATCH (n:${projectLabel(pk)}) WITH n LIMIT 2000 DETACH DELETE n RETURN count(*) AS c`, {}),
      { timeoutMs: 60_000 },
    );
    left = Number(rows[0]?.["c"]);
  }
  for (const label of stagedLabels) await run(`MATCH (s:${label}) WHERE s.key STARTS WITH $prefix DELETE s`);
  await run("MATCH (i:_Import {project_id: $id}) DELETE i");
};

/** Settings of a service on the Neo4j and Redis of the environment. */
export const testSettings = (key: Buffer): BaseSettings =>
  BaseSettings.parse({
    PORT: "0",
    LOG_LEVEL: "error",
    NEO4J_URI: required("NEO4J_URI"),
    NEO4J_USERNAME: required("NEO4J_USERNAME"),
    NEO4J_PASSWORD: required("NEO4J_PASSWORD"),
    REDIS_URL: required("REDIS_URL"),
    INTERNAL_CONTEXT_KEY: key.toString("base64"),
    DRAIN_DELAY_MS: "0",
  });

export const uploadSettings: UploadSettings = { uploads: 16, longestMs: 600_000, ratio: 100 };

/** Starts the import part of the service in this process, with a queue of its own. */
export const startImports = async (
  concurrency = 2,
  uploads: Partial<UploadSettings> = {},
): Promise<ImportsUnderTest> => {
  const key = randomBytes(32);
  const settings = testSettings(key);
  const service = await startService("capture", settings);
  const graph = connectGraph(graphSettings(settings));
  await graph.prepare();
  const known = new Map<string, Project>();
  const projects = { project: async (id: string) => known.get(id) };
  const parts = importParts({
    graph,
    projects,
    now: () => new Date(),
    names: openNames(graph, service.log),
    ended: async () => undefined,
  });
  const workers = startImportWorkers(
    parts,
    {
      redisUrl: settings.REDIS_URL,
      concurrency,
      takeoverMs: 2_000,
      reconcileMs: 500,
      turnMs: 300,
      queue: `imports-${randomUUID()}`,
    },
    service,
  );
  service.mount(
    ...importRoutes(parts, { ...uploadSettings, ...uploads }, ({ projectId }) => workers.enqueue(projectId)),
  );
  const { port } = await service.listen();
  const url = `http://127.0.0.1:${port}`;
  return {
    graph,
    parts,
    service,
    url,
    project: (limits = {}) => {
      const id = newGid("project");
      const pk = newProjectKey(randomBytes(8));
      known.set(id, {
        id,
        pk,
        ikgStatus: "ACTIVE",
        limits: effectiveLimits(limits),
        organizationId: newGid("organization"),
        organizationNames: defaultOrganizationNames,
      });
      return importProject({ id, pk }, key, graph, () => url);
    },
    repeats: async () => {
      const metric = service.metrics.registry.getSingleMetric("ikg_import_repeated_transactions_total");
      const { values } = (await metric?.get()) ?? { values: [] };
      return values[0]?.value ?? 0;
    },
    close: async () => {
      await workers.close();
      for (const project of known.values()) await clearProject(graph, project);
      await service.close();
      await graph.close();
    },
  };
};
