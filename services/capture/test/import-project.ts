import { gzipSync } from "node:zlib";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { gatewayOfTests, targetOf } from "../../../stack/src/testing/internal-contexts.ts";
import { internalContextHeader, type SignContext, signInternalContext } from "@ikg/auth";
import { type Gid, type Import, newGid, type Permission, type RejectedLines } from "@ikg/contracts";
import type { Graph } from "@ikg/graph";
import { type ProjectKey, projectLabel, stagedLabels, projectPrefix } from "@ikg/physical";
import type { Project } from "../src/projects/projects.ts";
import { linesOf } from "./import-lines.ts";

export interface Answer<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T & { message?: string; errors?: string[] };
}

const timeoutMs = 30_000;

export interface ExportOptions {
  readonly permissions?: readonly Permission[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

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
  /** The response of an export, unread. */
  export(query?: string, options?: ExportOptions): Promise<Response>;
  /** What a request of an export is authorized by. */
  exportHeaders(): Promise<Readonly<Record<string, string>>>;
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

/** Calls the service as an agent of the project. */
const clientOf = (
  id: Gid,
  sign: SignContext,
  url: () => string,
): Pick<ImportProject, "send" | "upload" | "export" | "exportHeaders"> => {
  // Signed for each call: a context lives for a minute.
  const context = async (
    method: string,
    path: string,
    permissions: readonly Permission[] = ["Capture"],
  ): Promise<Record<string, string>> => {
    const text = await sign(
      {
        kind: "agent",
        credential_kid: "test",
        org: newGid("organization"),
        project: id,
        application: newGid("application"),
        agent: newGid("application_agent"),
        permissions: [...permissions],
      },
      targetOf("capture", method, path),
    );
    return { [internalContextHeader]: text };
  };
  const toAnswer = async <T>(response: Response): Promise<Answer<T>> => ({
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Answer<T>["body"],
  });
  return {
    send: async (method, path) =>
      toAnswer(await fetch(url() + path, { method, headers: await context(method, path) })),
    export: async (query = "", { permissions = ["ReadGraph"], headers = {}, signal }: ExportOptions = {}) =>
      fetch(`${url()}/capture/v1/export${query}`, {
        headers: { ...(await context("GET", "/capture/v1/export", permissions)), ...headers },
        ...(signal === undefined ? {} : { signal }),
      }),
    exportHeaders: () => context("GET", "/capture/v1/export", ["ReadGraph"]),
    upload: async (body, headers = {}, signal) =>
      toAnswer(
        await fetch(`${url()}/capture/v1/imports`, {
          method: "POST",
          headers: {
            "content-type": "application/x-ndjson",
            ...(await context("POST", "/capture/v1/imports")),
            ...headers,
          },
          body,
          ...(signal === undefined ? {} : { signal }),
          ...(body instanceof ReadableStream ? { duplex: "half" } : {}),
        }),
      ),
  };
};

/** Reads what the imports of a project have written. */
const readerOf = (
  id: Gid,
  pk: ProjectKey,
  graph: Graph,
): Pick<ImportProject, "counts" | "staged" | "property"> => {
  const one = async (text: string, params: Record<string, unknown>): Promise<Record<string, unknown>> =>
    (await graph.shared.read(text, params, { timeoutMs }))[0] ?? {};
  return {
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
          return Number((await one(text, { prefix: projectPrefix(id) }))["count"]);
        }),
      ),
    property: async (externalId, name) => {
      const text = "MATCH (n:_Node {_key: $key}) RETURN n[$name] AS value";
      return (await one(text, { key: `${pk}/Person/${externalId}`, name }))["value"];
    },
  };
};

/** One project at a service that knows the gateway of these tests. */
export const importProject = (
  { id, pk }: { readonly id: Gid; readonly pk: ProjectKey },
  graph: Graph,
  url: () => string,
): ImportProject => {
  const calls = clientOf(id, signInternalContext(gatewayOfTests.privateKey, "gateway"), url);
  const { send } = calls;
  const state: ImportProject["state"] = async (importId) => {
    const { status, body } = await send("GET", `/capture/v1/imports/${importId}`);
    if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`);
    return body;
  };
  return {
    id,
    pk,
    ...calls,
    begin: async (lines) => {
      const { status, body } = await calls.upload(gzipSync(linesOf(lines)), { "content-encoding": "gzip" });
      if (status !== 202) throw new Error(`${status}: ${JSON.stringify(body)}`);
      return body.id;
    },
    state,
    ended: (importId, ms = 30_000, everyMs = 50) =>
      eventually(
        () => state(importId),
        ({ status }) => !["receiving", "queued", "running"].includes(status),
        { withinMs: ms, everyMs },
      ),
    rejected: async (importId, query = "") =>
      (await send<RejectedLines>("GET", `/capture/v1/imports/${importId}/rejected${query}`)).body,
    ...readerOf(id, pk, graph),
  };
};

/** Nodes that one transaction removes. */
const removedAtOnce = 2_000;

/** Removes everything of a project, by the same texts for all projects. */
export const clearProject = async (graph: Graph, { id, pk }: Pick<Project, "id" | "pk">): Promise<void> => {
  const run = (text: string, prefix = projectPrefix(id)) =>
    graph.shared.write((tx) => tx.run(text, { id, prefix }), { timeoutMs: 60_000 });
  for (let removed = removedAtOnce; removed === removedAtOnce;) {
    const [row] = await run(
      `MATCH (n:_Node) WHERE n._key STARTS WITH $prefix WITH n LIMIT ${removedAtOnce} DETACH DELETE n RETURN count(*) AS c`,
      `${pk}/`,
    );
    removed = Number(row?.["c"]);
  }
  for (const label of stagedLabels) await run(`MATCH (s:${label}) WHERE s.key STARTS WITH $prefix DELETE s`);
  await run("MATCH (i:_Import {project_id: $id}) DELETE i");
};
