import { randomBytes } from "node:crypto";
import type { Introspection } from "@ikg/auth";
import type { Catalog, CatalogProject, ProjectSnapshot, StoredResolver } from "@ikg/catalog";
import {
  defaultOrganizationNames,
  effectiveLimits,
  type ExecuteResponse,
  type Gid,
  newGid,
  type Problem,
  type ProjectLimits,
} from "@ikg/contracts";
import { openEgress } from "@ikg/egress";
import { connectGraph, type Graph, isGraphNode, isGraphRelationship } from "@ikg/graph";
import { type Names, openNames } from "@ikg/graph-names";
import { newProjectKey, nodeKey, nodeLabel, projectLabel, type ProjectKey, typeLabel } from "@ikg/physical";
import { type CiqPolicy, compileCiq } from "@ikg/policy-core";
import { compileQuery } from "@ikg/policy-core/queries";
import { writeStatements } from "@ikg/policy-core/statements";
import { openSharedBudget } from "@ikg/service";
import { elementIdsOf } from "@ikg/query-rows";
import { problemOf } from "../../../stack/src/testing/problem-of.ts";
import { neo4jOfTests } from "../../../stack/src/testing/test-environment.ts";
import { openExecute } from "../src/execution/execute.ts";
import type { RowSizes } from "../src/execution/row-sizes.ts";
import { writeNames } from "../src/execution/write-names.ts";
import { openResolvers, type Resolvers } from "../src/resolvers/resolve.ts";

export const options = { timeoutMs: 80_000 };

const noResolvers: readonly StoredResolver[] = [];

export const openTestGraph = (): Graph => connectGraph(neo4jOfTests());

/** A node as tests write it: `Type/id`, and its physical keys. */
export interface Seed {
  readonly nodes: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** `[source, type, target, properties]`. */
  readonly edges: readonly (readonly [string, string, string, Readonly<Record<string, unknown>>?])[];
}

export type Json = Readonly<Record<string, unknown>>;

/** What one execution may bring besides its query. */
export interface Call {
  readonly params?: Json;
  /** Claims of the bearer; null sends none. */
  readonly token?: Json | null;
  readonly pageSize?: number;
  readonly pageToken?: number;
  readonly timeoutMs?: number;
  /** Resolvers of the project and their client; without them no call is made. */
  readonly external?: { readonly stored: readonly StoredResolver[]; readonly resolvers: Resolvers };
  readonly explain?: boolean;
  /** As a query whose rows may be large is executed. */
  readonly rowByRow?: boolean;
}

/** One project on the real database, and queries on it. */
export interface TestProject {
  readonly pk: ProjectKey;
  readonly application: string;
  /** The whole answer. */
  ask(policy: Json, query: Json, call?: Call): Promise<ExecuteResponse>;
  /** Executes a query text under a policy text; the policy may have changed since the query was checked. */
  execute(policy: Json, query: Json, call?: Call): Promise<ExecuteResponse["data"]>;
  /** The problem with which it refuses. */
  refusal(policy: Json, query: Json, call?: Call): Promise<Problem>;
  /** Reserves the names that a query writes, as its first execution in a process does. */
  reserveNames(policy: Json, query: Json): Promise<void>;
  /** Stored fields and labels of a node; undefined when it is not there. */
  node(path: string): Promise<{ labels: string[]; fields: Record<string, unknown> } | undefined>;
  /** Stored fields of the relationships of one type between two nodes. */
  edges(source: string, type: string, target: string): Promise<Record<string, unknown>[]>;
  /** Everything of the project as text, for comparing; times are left out. */
  picture(): Promise<string>;
  run(text: string, params?: Json): Promise<unknown>;
  drop(): Promise<void>;
}

export const policyOf = (policy: Json): CiqPolicy => {
  const checked = compileCiq(JSON.stringify({ meta: { policy_version: "1.0-ciq" }, ...policy }));
  if (!checked.ok) throw new Error(checked.faults.join("; "));
  return checked.value;
};

const introspection: Introspection = {
  introspect: (bearer) => {
    const claims = JSON.parse(bearer) as Record<string, unknown>; // what the test sent
    return Promise.resolve({ subject: String(claims["sub"]), claims, configId: "test", nodeType: "Token" });
  },
  close: () => Promise.resolve(),
};

/** Finds no resolver that it could call. */
const nobody: Resolvers = openResolvers({
  egress: openEgress({ allowHttp: false, allowHosts: [], allowCidrs: [] }),
  metrics: { gauge: () => ({ set: () => undefined }), histogram: () => ({ observe: () => undefined }) },
  log: { warn: () => undefined },
  timeoutMs: 1_000,
});

/** Every query has small rows, or every one has large ones. */
const sizes = (small: boolean): RowSizes => ({
  areSmall: () => small,
  record: () => undefined,
  recordTooLarge: () => undefined,
});

const answers = {
  memory: openSharedBudget({ total: 32_000_000, waitMs: 2_000, waitingPerProject: 16 }, "TEST"),
  idsOf: elementIdsOf(Buffer.alloc(32, 7)),
};

/** The database promises no order of properties. */
const inOrder = (value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value;

const isTime = (field: string): boolean => field.endsWith("update_time") || field.endsWith("create_time");

/** What the functions of a test project work with. */
interface Bed {
  readonly graph: Graph;
  readonly project: CatalogProject;
  readonly application: Gid;
  readonly names: Names;
}

const projectOf = (pk: ProjectKey, stated: Partial<ProjectLimits>): CatalogProject => ({
  id: newGid("project"),
  organizationId: newGid("organization"),
  pk,
  ikgStatus: "ACTIVE",
  connection: undefined,
  composite: undefined,
  limits: effectiveLimits(stated),
  organizationNames: defaultOrganizationNames,
});

/** `Type/id` taken apart. */
const split = (path: string): [string, string] => {
  const at = path.indexOf("/");
  return [path.slice(0, at), path.slice(at + 1)];
};

const seedGraph = async ({ graph, project: { pk }, application }: Bed, seed: Seed): Promise<void> => {
  const keyOf = (path: string): string => nodeKey(pk, ...split(path));
  const allNodes = { ...seed.nodes, [`_Application/${application}`]: {} };
  const nodes = Object.entries(allNodes).map(([path, fields]) => {
    const [type, id] = split(path);
    const system = { _key: keyOf(path), external_id: id, type, id: newGid("node"), is_identity: false };
    return {
      labels: [nodeLabel, projectLabel(pk), typeLabel(type, pk)],
      fields: { ...system, ...fields },
    };
  });
  const edges = seed.edges.map(([source, type, target, fields]) => ({
    a: keyOf(source),
    b: keyOf(target),
    type,
    fields: { _discriminator: "", ...fields },
  }));
  // The same texts for every project: the database plans them once.
  await graph.shared.write(async (tx) => {
    await tx.run("UNWIND $nodes AS row CREATE (n:$(row.labels)) SET n = row.fields", { nodes });
    await tx.run(
      "UNWIND $edges AS row MATCH (a:_Node {_key: row.a}) MATCH (b:_Node {_key: row.b}) CREATE (a)-[r:$(row.type)]->(b) SET r = row.fields",
      { edges },
    );
  }, options);
};

/** The project as the catalog shows it, with this query alone. */
const viewOf = (project: CatalogProject, policy: Json, query: Json, { external }: Call): ProjectSnapshot => {
  const compiled = policyOf(policy);
  const stored = {
    id: newGid("knowledge_query"),
    name: "query",
    displayName: undefined,
    description: undefined,
    version: 1,
    policyId: newGid("authorization_policy"),
    policyName: "policy",
    policyVersion: 1,
    policy: compiled,
    query: compileQuery(JSON.stringify(query), compiled),
  };
  return {
    project,
    kbacPolicies: () => [],
    kbacCandidates: () => [],
    query: () => stored,
    queries: () => [],
    introspects: [],
    mcpServer: undefined,
    resolver: (idOrName) => external?.stored.find(({ id, name }) => id === idOrName || name === idOrName),
    resolvers: () => external?.stored ?? noResolvers,
  };
};

const ask = async (
  { graph, project, application, names }: Bed,
  policy: Json,
  query: Json,
  call: Call = {},
): Promise<ExecuteResponse> => {
  const view = viewOf(project, policy, query, call);
  const execute = openExecute({
    graph,
    catalog: { snapshot: () => Promise.resolve(view) } as unknown as Catalog, // no other member is used
    introspection,
    limits: { queryMs: call.timeoutMs ?? 20_000, batchReadMs: 20_000 },
    answers: { ...answers, sizes: sizes(call.rowByRow !== true) },
    resolvers: call.external?.resolvers ?? nobody,
    names,
  });
  const token =
    call.token === undefined ? { sub: "n1", iss: "https://idp.example", auth_age: 1 } : call.token;
  const { body } = await execute({
    caller: { application, project: project.id } as never, // no other member is read
    bearer: token === null ? undefined : JSON.stringify(token),
    request: {
      id: "query",
      input_params: call.params ?? {},
      page_size: call.pageSize ?? 100,
      page_token: call.pageToken ?? 0,
    } as never, // as the contract parses it
    requestId: "test",
    signal: new AbortController().signal,
    explain: call.explain ?? false,
  });
  body.release();
  return JSON.parse(body.toString()) as ExecuteResponse; // what it is the text of
};

const reserveNames = async ({ names, project }: Bed, policy: Json, query: Json): Promise<void> => {
  const compiled = compileQuery(JSON.stringify(query), policyOf(policy));
  if (!compiled.ok) throw new Error(compiled.faults.join("; "));
  const write = writeStatements(compiled.value, project.pk);
  if (write !== undefined) await names.reserve(project, writeNames(write));
  // Those of a graph that has nodes already are counted first.
  await names.settled();
};

/** What is stored of a project. */
const storedIn = ({ graph, project: { pk } }: Bed): Pick<TestProject, "node" | "edges" | "picture"> => {
  const keyOf = (path: string): string => nodeKey(pk, ...split(path));
  return {
    node: async (path) => {
      const text = "MATCH (n:_Node {_key: $k}) RETURN n";
      const found = (await graph.shared.read(text, { k: keyOf(path) }, options))[0]?.["n"];
      if (!isGraphNode(found)) return undefined;
      return { labels: [...found.labels].toSorted(), fields: found.properties };
    },
    edges: async (source, type, target) => {
      const rows = await graph.shared.read(
        `MATCH (:_Node {_key: $a})-[r:${type}]->(:_Node {_key: $b}) RETURN r ORDER BY r._discriminator`,
        { a: keyOf(source), b: keyOf(target) },
        options,
      );
      return rows.flatMap(({ r }) => (isGraphRelationship(r) ? [r.properties] : []));
    },
    picture: async () => {
      const rows = await graph.shared.read(
        `MATCH (n:${projectLabel(pk)}) OPTIONAL MATCH (n)-[r]->(m)
         RETURN n._key AS k, labels(n) AS labels, properties(n) AS p, type(r) AS t, properties(r) AS rp, m._key AS m
         ORDER BY k, t, m, r._discriminator`,
        {},
        options,
      );
      return JSON.stringify(rows, (name, value: unknown) => (isTime(name) ? undefined : inOrder(value)), 1);
    },
  };
};

export const openProject = async (
  graph: Graph,
  seed: Seed,
  pk: ProjectKey = newProjectKey(randomBytes(8)),
  stated: Partial<ProjectLimits> = {},
): Promise<TestProject> => {
  const bed: Bed = {
    graph,
    project: projectOf(pk, stated),
    application: newGid("application"),
    names: openNames(graph, { warn: () => undefined }),
  };
  await seedGraph(bed, seed);
  const run = (text: string, params: Json = {}): Promise<unknown> =>
    graph.shared.write((tx) => tx.run(text, params), options);
  return {
    pk,
    application: bed.application,
    ask: (policy, query, call) => ask(bed, policy, query, call),
    execute: async (policy, query, call) => (await ask(bed, policy, query, call)).data,
    refusal: (policy, query, call) => problemOf(ask(bed, policy, query, call)),
    reserveNames: (policy, query) => reserveNames(bed, policy, query),
    ...storedIn(bed),
    run,
    drop: async () => {
      await run(`MATCH (n:${projectLabel(pk)}) DETACH DELETE n`);
    },
  };
};
