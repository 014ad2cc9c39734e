import { randomBytes } from "node:crypto";
import { gatewayOfTests, keysOfTests, targetOf } from "../../../stack/src/testing/internal-contexts.ts";
import { internalContextHeader, signInternalContext } from "@ikg/auth";
import {
  type AgentCaller,
  defaultOrganizationNames,
  effectiveLimits,
  type Gid,
  newGid,
  type ProjectLimits,
} from "@ikg/contracts";
import { connectGraph, type Graph } from "@ikg/graph";
import { openNames } from "@ikg/graph-names";
import { newProjectKey, type ProjectKey, projectKey, projectLabel } from "@ikg/physical";
import { consistencyTokens, graphSettings, startService } from "@ikg/service";
import { countGraph } from "../src/data-schema/count-graph.ts";
import { openDataSchemaCache } from "../src/data-schema/data-schema-cache.ts";
import type { Project } from "../src/projects/projects.ts";
import { dataSchema } from "../src/routes/data-schema.ts";
import { nodeRoutes } from "../src/routes/nodes.ts";
import { relationshipRoutes } from "../src/routes/relationships.ts";
import { testSettings } from "./environment.ts";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // Bodies of answers are looked into by the tests, field by field.
  readonly body: { message?: string; errors?: string[]; results?: { id: string }[]; skipped?: unknown[] };
}

/** One project of the test, with a caller that may write into it. */
export interface TestProject {
  readonly id: Gid;
  readonly pk: ProjectKey;
  send(method: string, path: string, body: unknown): Promise<Answer>;
  nodes(nodes: unknown): Promise<Answer>;
  relationships(relationships: unknown, more?: object): Promise<Answer>;
  /** Physical properties and labels of one node, undefined when it is not there. */
  node(type: string, externalId: string): Promise<StoredNode | undefined>;
  counts(): Promise<{ nodes: number; relationships: number }>;
}

export interface StoredNode {
  readonly labels: string[];
  readonly properties: Record<string, unknown>;
}

export interface CaptureUnderTest {
  readonly graph: Graph;
  readonly url: string;
  /** @param own a graph of its own; the shared one without it. */
  project(
    status?: string,
    own?: Pick<Project, "connection" | "composite">,
    limits?: Partial<ProjectLimits>,
  ): TestProject;
  /** Removes what a project has captured, so that the next test can use its key: the database has its statements planned. */
  clear(project: TestProject): Promise<void>;
  /** The headers of a call by an agent. */
  contextOf(caller: Partial<AgentCaller>, method: string, path: string): Promise<Record<string, string>>;
  close(): Promise<void>;
}

const options = { timeoutMs: 80_000 };

/** The same text for every project. */
const clearText = "MATCH (n:_Node) WHERE n._key STARTS WITH $prefix DETACH DELETE n";

type HeadersOf = (method: string, path: string) => Promise<Record<string, string>>;

class SentProject implements TestProject {
  readonly id: Gid;
  readonly pk: ProjectKey;
  readonly #capture: Pick<CaptureUnderTest, "graph" | "url">;
  readonly #context: HeadersOf;

  constructor({ id, pk }: Project, capture: Pick<CaptureUnderTest, "graph" | "url">, context: HeadersOf) {
    this.id = id;
    this.pk = pk;
    this.#capture = capture;
    this.#context = context;
  }

  async send(method: string, path: string, body: unknown): Promise<Answer> {
    const response = await fetch(this.#capture.url + path, {
      method,
      headers: { "content-type": "application/json", ...(await this.#context(method, path)) },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
    const { status, headers } = response;
    return { status, headers, body: (await response.json()) as Answer["body"] };
  }

  nodes(nodes: unknown): Promise<Answer> {
    return this.send("POST", "/capture/v1/nodes", { nodes });
  }

  relationships(relationships: unknown, more: object = {}): Promise<Answer> {
    return this.send("POST", "/capture/v1/relationships", { relationships, ...more });
  }

  async node(type: string, externalId: string): Promise<StoredNode | undefined> {
    const [row] = await this.#capture.graph.shared.read(
      "MATCH (n:_Node {_key: $key}) RETURN labels(n) AS labels, properties(n) AS properties",
      { key: `${this.pk}/${type}/${externalId}` },
      options,
    );
    return row as StoredNode | undefined; // the two columns of the statement
  }

  async counts(): Promise<{ nodes: number; relationships: number }> {
    const [row] = await this.#capture.graph.shared.read(
      `MATCH (n:${projectLabel(this.pk)}) OPTIONAL MATCH (n)-[r]->()
       RETURN count(DISTINCT n) AS nodes, count(r) AS relationships`,
      {},
      options,
    );
    return { nodes: Number(row?.["nodes"]), relationships: Number(row?.["relationships"]) };
  }
}

const newProject = (
  ikgStatus: string,
  own: Pick<Project, "connection" | "composite"> | undefined,
  limits: Partial<ProjectLimits>,
): Project & { readonly id: Gid } => ({
  id: newGid("project"),
  pk: own === undefined ? newProjectKey(randomBytes(8)) : projectKey(""),
  ikgStatus,
  limits: effectiveLimits(limits),
  organizationId: newGid("organization"),
  organizationNames: defaultOrganizationNames,
  ...own,
});

const callerOf = (caller: Partial<AgentCaller>): AgentCaller => ({
  kind: "agent",
  credential_kid: "test",
  org: newGid("organization"),
  project: newGid("project"),
  application: newGid("application"),
  agent: newGid("application_agent"),
  permissions: ["Capture"],
  ...caller,
});

const clearProject = async (graph: Graph, { pk }: Pick<Project, "pk">): Promise<void> => {
  await graph.shared.write((tx) => tx.run(clearText, { prefix: `${pk}/` }), options);
};

const clearProjects = async (graph: Graph, projects: Iterable<Project>): Promise<void> => {
  for (const project of projects) if (project.pk !== "") await clearProject(graph, project);
};

/** Starts the service in this process, on a free port, on the Neo4j and Redis of the environment. */
export const startCapture = async (): Promise<CaptureUnderTest> => {
  const settings = testSettings();
  const service = await startService("capture", settings);
  // The addresses of the test itself may be connected to.
  const graph = connectGraph(graphSettings(settings), {}, async (host) => host);
  await graph.prepare();
  const known = new Map<string, Project>();
  const projects = { project: async (id: string) => known.get(id) };
  const names = openNames(graph, service.log);
  const parts = {
    graph,
    projects,
    names,
    tokens: consistencyTokens(Buffer.from(keysOfTests.TOKEN_SEALING_KEY, "base64")),
    now: () => new Date(),
  };
  const schemas = openDataSchemaCache((each, signal) => countGraph(graph, each, new Date(), signal));
  service.mount(...nodeRoutes(parts), ...relationshipRoutes(parts), dataSchema(projects, schemas));
  const { port } = await service.listen();
  const url = `http://127.0.0.1:${port}`;
  const sign = signInternalContext(gatewayOfTests.privateKey, "gateway");
  const contextOf: CaptureUnderTest["contextOf"] = async (caller, method, path) => ({
    [internalContextHeader]: await sign(callerOf(caller), targetOf("capture", method, path)),
  });
  return {
    graph,
    url,
    project: (status = "ACTIVE", own, limits = {}) => {
      const project = newProject(status, own, limits);
      known.set(project.id, project);
      return new SentProject(project, { graph, url }, (method, path) =>
        contextOf({ project: project.id }, method, path),
      );
    },
    clear: (project) => clearProject(graph, project),
    contextOf,
    close: async () => {
      await clearProjects(graph, known.values());
      await schemas.close();
      await service.close();
      await graph.close();
    },
  };
};
