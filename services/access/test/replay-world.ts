import { randomBytes } from "node:crypto";
import type { Token } from "@ikg/auth";
import { type AuditRecord, fitRecord, type RedactionSettings } from "@ikg/audit";
import { compressContent, type ProjectSnapshot, type StoredKbacPolicy } from "@ikg/catalog";
import { EvaluationsRequest, newGid, newUuid, type Replay, ReplayRequest } from "@ikg/contracts";
import { connectGraph, type Graph, StatementTimeout } from "@ikg/graph";
import {
  changeEntryLabel,
  changeLabel,
  entryOf,
  newProjectKey,
  projectLabel,
  recordLabel,
  versionKey,
  versionLabel,
} from "@ikg/physical";
import { defaultBudget } from "@ikg/policy-core";
import { neo4jOfTests } from "../../../stack/src/testing/test-environment.ts";
import { type Decide, openDecide } from "../src/decisions/decide.ts";
import { openEvaluateBatch } from "../src/decisions/evaluate-batch.ts";
import { decisionTimeoutAsUnavailable } from "../src/decisions/statement-errors.ts";
import { openReplay } from "../src/replays/replay.ts";
import { decisionNote } from "../src/routes/decision-note.ts";
import { type PolicyText, snapshotOf, storedPolicy } from "./policies.ts";
import { projectOf } from "./project.ts";

export const options = { timeoutMs: 80_000 };
const everything: RedactionSettings = { inputParams: "values", values: "full" };

/** A policy, by which a Person may DRIVE a Car. */
export interface ReplayPolicy extends Pick<PolicyText, "cypher" | "version" | "filter"> {
  readonly tags?: readonly string[];
}

/** A version of a policy as the catalog has it. */
export const policyOf = (
  id: string,
  version: number,
  { tags = [], ...text }: ReplayPolicy,
): StoredKbacPolicy =>
  storedPolicy(
    { ...text, subject: "Person", actions: ["DRIVE"], resource: "Car" },
    { id, name: "may-drive", version, tags },
  );

export const newPolicyId = (): string => newGid("authorization_policy");

/** A token as introspection makes it. */
export const tokenOf = (subject: string, claims: object = {}): Token => ({
  subject,
  claims: { sub: subject, ...claims },
  configId: "c",
  nodeType: "Person",
});

export interface Recording {
  readonly token?: Token;
  readonly settings?: RedactionSettings;
}

/** A project whose decisions are recorded and replayed. */
export interface ReplayWorld {
  readonly project: ProjectSnapshot["project"];
  snapshot(...policies: readonly StoredKbacPolicy[]): ProjectSnapshot;
  run(text: string, parameters?: Record<string, unknown>): Promise<void>;
  /** Stores a version as the configs service does: as the present state of its record, or as a former one. */
  store(policy: StoredKbacPolicy, as: "present" | "former"): Promise<void>;
  /** Stores the change record of a deletion as the configs service does. */
  storeDeletion(policy: StoredKbacPolicy, more?: object): Promise<void>;
  /** The audit record of an evaluation. */
  evaluated(snapshot: ProjectSnapshot, body: object, recording?: Recording): Promise<AuditRecord>;
  /** The audit record of a batch. */
  batch(snapshot: ProjectSnapshot, body: object, recording?: Recording): Promise<AuditRecord>;
  replay(snapshot: ProjectSnapshot, records: readonly object[], changes?: readonly object[]): Promise<Replay>;
  /** Subjects about whom no statement ends in its time. */
  setSlow(...subjects: readonly string[]): void;
  /** Every node and relationship of the project and its configuration. */
  dump(): Promise<string>;
  close(): Promise<void>;
}

const createText = (pk: string, label: string): string =>
  `UNWIND ['ann', 'bob'] AS id
   CREATE (p:_Node:${label}:Person__${pk} {_key: $pk + '/Person/' + id, external_id: id, id: $pk + id, type: 'Person', level: 3})
   CREATE (c:_Node:${label}:Car__${pk} {_key: $pk + '/Car/' + id, external_id: id, id: $pk + id + 'car', type: 'Car'})
   CREATE (p)-[:OWNS]->(c)`;

/** The audit record of a decision, as access emits it. */
const recordOf = (
  operation: "evaluate" | "evaluate_batch",
  snapshot: ProjectSnapshot,
  body: object,
  answer: unknown,
  { token, settings = everything }: Recording,
): Promise<AuditRecord> => {
  const context = { snapshot, token, options, explain: false };
  const question = { operation, context, body, consistencyToken: undefined, grants: new Map() };
  const { chain, onBehalfOf, outcome = "success", ...note } = decisionNote(question, answer);
  const now = new Date();
  return fitRecord(
    {
      ...note,
      id: newUuid(now.getTime()),
      time: now.toISOString(),
      project_id: chain,
      actor: { type: "system", id: "test" },
      outcome,
      ...(onBehalfOf && { on_behalf_of: onBehalfOf }),
    } as AuditRecord, // the data of a note is that of its type
    settings,
  );
};

type Decisions = Pick<ReplayWorld, "evaluated" | "batch" | "replay" | "setSlow">;

const decisionsOf = (graph: Graph, project: ProjectSnapshot["project"]): Decisions => {
  const decide = openDecide(graph);
  const evaluateBatch = openEvaluateBatch(decide);
  let slow: readonly string[] = [];
  const decideInTime: Decide = async (snapshot, evaluation, limits) => {
    if (slow.includes(evaluation.subject.id)) throw decisionTimeoutAsUnavailable(new StatementTimeout(1));
    return decide(snapshot, evaluation, limits);
  };
  const prepare = openReplay({ graph, decide: decideInTime, budget: defaultBudget });
  return {
    setSlow: (...subjects) => void (slow = subjects),
    evaluated: async (snapshot, body, recording = {}) => {
      const question = { context: undefined, ...body } as unknown as Parameters<typeof decide>[1]; // bodies of the test
      const answer = await decide(snapshot, { ...question, token: recording.token }, options);
      return recordOf("evaluate", snapshot, body, answer, recording);
    },
    batch: async (snapshot, body, recording = {}) => {
      const answer = await evaluateBatch(snapshot, EvaluationsRequest.parse(body), recording.token, options);
      return recordOf("evaluate_batch", snapshot, body, answer, recording);
    },
    replay: async (snapshot, records, changes) => {
      const request = ReplayRequest.parse({
        project_id: project.id,
        // As they arrive: read from JSON.
        records: JSON.parse(JSON.stringify(records)),
        ...(changes && { changes }),
      });
      return (await prepare(snapshot, request, {}))();
    },
  };
};

/** @param uri of the database. */
export const openReplayWorld = async (uri = neo4jOfTests().uri): Promise<ReplayWorld> => {
  const pk = newProjectKey(randomBytes(8));
  const label = projectLabel(pk);
  const project = projectOf(pk);
  const graph: Graph = connectGraph({ ...neo4jOfTests(), uri });
  await graph.prepare();
  const run = async (text: string, parameters = {}): Promise<void> => {
    await graph.shared.write((tx) => tx.run(text, { pk, project: project.id, ...parameters }), options);
  };
  await run(createText(pk, label));
  return {
    project,
    run,
    snapshot: (...policies) => snapshotOf(project, policies),
    ...decisionsOf(graph, project),
    store: ({ id, name, version, tags, text }, as) => {
      const properties = {
        ...{ id, name, version, text, data: JSON.stringify({ tags }) },
        ...{ kind: "authorization_policy", status: "ACTIVE", policy_kind: "kbac", project_id: project.id },
        create_time: "2026-01-01T00:00:00.000Z",
        ...(as === "former" && { version_key: versionKey(id, version) }),
      };
      return run(`CREATE (x:${as === "former" ? versionLabel : recordLabel}) SET x = $properties`, {
        properties,
      });
    },
    storeDeletion: async ({ id, name, version, tags, text }, more = {}) => {
      const before = { policy: text, status: "ACTIVE", tags: [...tags], ...more };
      const { data } = await compressContent({ before });
      const entry = {
        ...{ index: 0, collection: "authorization-policies", record_id: id, name, op: "delete" },
        ...{ from_version: version, to_version: 0, content: data },
      };
      await run(
        `CREATE (c:${changeLabel} {id: $change, project_id: $project, key: $change})
         CREATE (e:${changeEntryLabel})-[:${entryOf}]->(c) SET e = $entry, e.test_project = $project`,
        { change: newGid("change"), entry },
      );
    },
    dump: async () => {
      const nodes = `MATCH (n) WHERE n:${label} OR n.project_id = $project`;
      const rows = await graph.shared.read(
        `${nodes} RETURN labels(n) AS labels, properties(n) AS properties, COUNT { (n)--() } AS ends ORDER BY elementId(n)`,
        { project: project.id },
        options,
      );
      return JSON.stringify(rows);
    },
    close: async () => {
      await run(
        `MATCH (n) WHERE n:${label} OR n.project_id = $project OR n.test_project = $project DETACH DELETE n`,
      );
      await graph.close();
    },
  };
};
