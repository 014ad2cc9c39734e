import { randomBytes } from "node:crypto";
import { gatewayOfTests, keysOfTests } from "../../../../stack/src/testing/internal-contexts.ts";
import { internalContextHeader, signInternalContext } from "@ikg/auth";
import type { Catalog, CatalogProject, ProjectSnapshot, StoredKbacPolicy } from "@ikg/catalog";
import { newGid, type Simulation, type SimulationInputs } from "@ikg/contracts";
import { connectGraph, type Graph, StatementTimeout } from "@ikg/graph";
import { nameKey, newProjectKey, projectLabel, recordLabel } from "@ikg/physical";
import { elementIdsOf } from "@ikg/query-rows";
import { expressionBudget, graphSettings, readSettings, type Service, startService } from "@ikg/service";
import { type Decide, openDecide } from "../../src/decisions/decide.ts";
import { decisionTimeoutAsUnavailable } from "../../src/decisions/statement-errors.ts";
import { simulations } from "../../src/routes/simulations.ts";
import { AccessSettings } from "../../src/settings.ts";
import { evaluationOf } from "../../src/simulations/inputs.ts";
import { openSimulationMetrics } from "../../src/simulations/metrics.ts";
import { progressTokens } from "../../src/simulations/progress-tokens.ts";
import { openSimulate } from "../../src/simulations/simulate.ts";
import { openSimulationSlots } from "../../src/simulations/slots.ts";
import { decideOnce } from "../../src/simulations/try-pairs.ts";
import { policyBody, type PolicyText, snapshotOf, storedPolicy } from "../policies.ts";
import { projectOf } from "../project.ts";

export const options = { timeoutMs: 80_000 };

/** Completes a policy that names no types: Person and Document. */
const withTypes = (text: PolicyText): PolicyText => ({ subject: "Person", resource: "Document", ...text });

/** The JSON of a policy, by which a Person may READ a Document unless it says otherwise. */
export const policyOf = (text: PolicyText) => policyBody(withTypes(text));

let policies = 0;

/** A policy that is in force. */
export const stored = (name: string, text: PolicyText, tags: readonly string[] = []): StoredKbacPolicy => {
  policies += 1;
  return storedPolicy(withTypes(text), { id: `policy-${policies}`, name, tags });
};

export const put = (name: string, text: PolicyText, more: object = {}) => ({
  op: "put",
  collection: "authorization-policies",
  name,
  record: { policy: policyOf(text), status: "ACTIVE", ...more },
});

export const remove = (name: string) => ({ op: "delete", collection: "authorization-policies", name });

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** A policy or query; a query names its policy. */
export interface TestRecord {
  readonly name: string;
  readonly text: object;
  readonly policy?: string;
  readonly version?: number;
  readonly status?: "ACTIVE" | "INACTIVE" | "DRAFT";
  /** Of a policy. */
  readonly tags?: readonly string[];
}

export interface SimulationsUnderTest {
  readonly graph: Graph;
  readonly project: CatalogProject;
  readonly label: string;
  readonly decide: Decide;
  /** Policies that are in force. */
  setPolicies(...all: readonly StoredKbacPolicy[]): void;
  /** Subjects about whom no statement ends in its time. */
  setSlow(...subjects: readonly string[]): void;
  /** Stores the present state of a policy or query as the configs service does, until the next call. */
  setRecords(...records: readonly TestRecord[]): Promise<void>;
  /** A project that another test may ask about. */
  addProject(project: CatalogProject): void;
  send(body: object, headers?: Record<string, string>, organization?: string): Promise<Answer>;
  /** @throws when the answer is not a 200 */
  simulate(changes: readonly object[], more?: object): Promise<Simulation>;
  /** Pairs of one question that are granted by policies, each decided by itself. */
  granted(all: readonly StoredKbacPolicy[], inputs?: SimulationInputs): Promise<ReadonlySet<string>>;
  write(this: void, cypher: string, parameters?: object): Promise<void>;
  close(): Promise<void>;
}

/** Sends simulations as a service account of an organization. */
const senderTo =
  (url: string, project: CatalogProject): SimulationsUnderTest["send"] =>
  async (body, headers = {}, org = project.organizationId) => {
    const context = await signInternalContext(gatewayOfTests.privateKey, "gateway")(
      {
        kind: "service_account",
        credential_kid: "test",
        org: org as typeof project.organizationId,
        service_account: newGid("service_account"),
        role: "all_viewer",
      },
      { service: "access", method: "POST", route: "/access/v1/simulations" },
    );
    const answer = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", [internalContextHeader]: context, ...headers },
      body: JSON.stringify({ project_id: project.id, ...body }),
    });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };

/** Decides every pair of persons and documents by itself, as an evaluation does. */
const decidePairs =
  (graph: Graph, label: string, project: CatalogProject, decide: Decide): SimulationsUnderTest["granted"] =>
  async (all, inputs = {}) => {
    const once = decideOnce(decide, () => options);
    const snapshot = snapshotOf(project, all);
    const question = {
      subjectType: "Person",
      action: "READ",
      resourceType: "Document",
      before: [],
      after: [],
    };
    const idsOf = async (type: string): Promise<readonly string[]> => {
      const rows = await graph.shared.read(
        `MATCH (n:${label}) WHERE n.type = $type RETURN n.external_id AS id ORDER BY id`,
        { type },
        options,
      );
      return rows.map(({ id }) => String(id));
    };
    const [subjects, resources] = [await idsOf("Person"), await idsOf("Document")];
    const pairs = await Promise.all(
      subjects.flatMap((subject) =>
        resources.map(async (resource) => {
          const outcome = await once(snapshot, evaluationOf(question, inputs, subject, resource));
          if (outcome === undefined) throw new Error(`${subject} > ${resource}: not decided in time`);
          return outcome.granted ? [`${subject} > ${resource}`] : [];
        }),
      ),
    );
    return new Set(pairs.flat());
  };

/** Mounts the route of simulations on a service of its own and listens. */
const serveSimulations = async (
  snapshots: ReadonlyMap<string, ProjectSnapshot>,
  slow: ReadonlySet<string>,
  more: Readonly<Record<string, string>>,
): Promise<{ service: Service; graph: Graph; decide: Decide; url: string }> => {
  const settings = readSettings(AccessSettings, {
    ...process.env,
    PORT: "0",
    LOG_LEVEL: "error",
    ...keysOfTests,
    CONFIG_ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    ...more,
  });
  const service = await startService("access", settings);
  const graph = connectGraph(graphSettings(settings));
  await graph.prepare();
  const catalog = { snapshot: async (id: string) => snapshots.get(id) } as unknown as Catalog; // the only method that is called
  const decide = openDecide(graph);
  const decideInTime: Decide = async (snapshot, evaluation, limits) => {
    if (slow.has(evaluation.subject.id)) throw decisionTimeoutAsUnavailable(new StatementTimeout(1));
    return decide(snapshot, evaluation, limits);
  };
  const simulate = openSimulate({
    graph,
    idsOf: elementIdsOf(settings.TOKEN_SEALING_KEY),
    decide: decideInTime,
    switches: {},
    budget: expressionBudget(settings),
    tokens: progressTokens(settings.TOKEN_SEALING_KEY),
  });
  const metrics = openSimulationMetrics(service.metrics);
  service.mount(simulations({ catalog, simulate, slots: openSimulationSlots(), metrics }));
  const url = `http://127.0.0.1:${(await service.listen()).port}/access/v1/simulations`;
  return { service, graph, decide, url };
};

/** What the configs service stores of a project's policies and queries. */
const recordsOf = (graph: Graph, { id: projectId }: CatalogProject) => {
  const remove = async (): Promise<void> => {
    await graph.shared.write(
      (tx) =>
        tx.run(`MATCH (r:${recordLabel} {project_id: $project}) DETACH DELETE r`, { project: projectId }),
      options,
    );
  };
  const set: SimulationsUnderTest["setRecords"] = async (...records) => {
    await remove();
    const ids = new Map(records.map(({ name }) => [name, newGid("authorization_policy")]));
    const rows = records.map(({ name, text, policy, version = 1, status = "ACTIVE", tags = [] }) => {
      const kind = policy === undefined ? "authorization_policy" : "knowledge_query";
      const data = policy === undefined ? { tags } : { policy_id: ids.get(policy) };
      return {
        ...{ id: ids.get(name), kind, name, version, status, project_id: projectId },
        name_key: nameKey(kind, projectId, name),
        data: JSON.stringify(data),
        text: JSON.stringify(text),
      };
    });
    await graph.shared.write(
      (tx) => tx.run(`UNWIND $rows AS row CREATE (r:${recordLabel}) SET r = row`, { rows }),
      options,
    );
  };
  return { remove, set };
};

/**
 * Starts the service in this process, on a free port, with one project that is empty.
 *
 * @param more settings.
 */
export const startSimulations = async (
  more: Readonly<Record<string, string>> = {},
): Promise<SimulationsUnderTest> => {
  const pk = newProjectKey(randomBytes(8));
  const label = projectLabel(pk);
  const project = projectOf(pk);
  const snapshots = new Map([[project.id as string, snapshotOf(project, [])]]);
  const slow = new Set<string>();
  const { service, graph, decide, url } = await serveSimulations(snapshots, slow, more);
  const records = recordsOf(graph, project);
  const send = senderTo(url, project);
  return {
    graph,
    project,
    label,
    decide,
    setSlow: (...subjects) => {
      slow.clear();
      for (const subject of subjects) slow.add(subject);
    },
    setRecords: records.set,
    setPolicies: (...all) => void snapshots.set(project.id, snapshotOf(project, all)),
    addProject: (other) => void snapshots.set(other.id, snapshotOf(other, [])),
    send,
    simulate: async (changes, more = {}) => {
      const { status, text } = await send({ changes, budget_ms: 60_000, examples: 100, ...more });
      if (status !== 200) throw new Error(`${status} ${text}`);
      return JSON.parse(text) as Simulation;
    },
    granted: decidePairs(graph, label, project, decide),
    write: async (cypher, parameters = {}) => {
      await graph.shared.write((tx) => tx.run(cypher, { pk, ...parameters }), options);
    },
    close: async () => {
      await records.remove();
      await graph.shared.write((tx) => tx.run(`MATCH (n:${label}) DETACH DELETE n`, {}), options);
      await service.close();
      await graph.close();
    },
  };
};

/** Pairs of an answer that has one question, which must be exact. */
export const pairsOf = ({ complete, questions }: Simulation, side: "gained" | "lost"): readonly string[] => {
  const [question] = questions;
  if (question === undefined) return [];
  const { count, exact, examples } = question[side];
  if (!complete || !exact || count !== examples.length)
    throw new Error(
      `${side}: complete ${complete}, exact ${exact}, ${count} pairs, ${examples.length} shown`,
    );
  return examples.map(({ subject, resource }) => `${subject} > ${resource}`).toSorted();
};
