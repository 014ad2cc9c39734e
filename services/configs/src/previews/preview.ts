import { randomBytes } from "node:crypto";
import type { DbConnection, PreviewOptions, Validation } from "@ikg/contracts";
import {
  type Database,
  DataFault,
  type Graph,
  type PlanOperator,
  type StatementOptions,
  StatementTimeout,
} from "@ikg/graph";
import { lookUpProperties, newProjectKey, nodeKey, type ProjectKey } from "@ikg/physical";
import { bindRow, type Inputs, type RequiredInputs } from "@ikg/policy-core";
import { namesOf, type PurposedStatement } from "@ikg/policy-core/statements";
import { ownGraph, openConnection } from "../records/connection.ts";
import { projectKeyOf } from "../records/project-key.ts";
import type { StoredRecord } from "../records/record.ts";
import type { CallerContext, Store } from "../records/store.ts";
import { findingsOf, previewedPlan } from "./findings.ts";

/** What the statements of a policy or query follow from. */
export interface PreviewSource {
  /** Its statements for a project of this key. */
  readonly statements: (pk: ProjectKey) => readonly PurposedStatement[];
  readonly needs: RequiredInputs;
  /** Types of the ends, as far as it has them. */
  readonly subjectType: string;
  readonly resourceType: string | undefined;
}

type Statement = NonNullable<Validation["statements"]>[number];

const profileMs = 10_000;
/** Rows that a sample asks for at most, as a page does. */
const sampleRows = 100;

const severalDatabases = "the graph lies in several databases; the plan depends on where a request goes";
const noActiveGraph = "the project has no active graph";

/** Where the statements of a project are planned, or the reason why they are not. */
const databaseOf = (graph: Graph, { keys }: Store, project: StoredRecord): Database | string => {
  const pk = projectKeyOf(project);
  if (pk !== "")
    return graph.of({ id: project.id, organizationId: project.organizationId, pk }, undefined, "background");
  const sealed = project.data["db_connection"];
  // A database that is not claimed for the project may belong to another one.
  if (typeof sealed !== "string" || project.columns[lookUpProperties.ikgStatus] !== "ACTIVE")
    return noActiveGraph;
  const connection: DbConnection = openConnection(keys, project.id, sealed);
  const own = ownGraph(project.id, connection);
  return own.parts.length > 1 ? severalDatabases : graph.of(own.graph, undefined, "background");
};

/** The row that a statement takes, of the values of a sample. */
const rowOf = (
  { takes = [] }: PurposedStatement,
  { needs, subjectType, resourceType = "" }: PreviewSource,
  sample: NonNullable<PreviewOptions["sample"]>,
  pk: ProjectKey,
): Readonly<Record<string, unknown>> => {
  const { subject, resource, input_params: inputParams = {}, token } = sample;
  const inputs: Inputs = {
    inputParams,
    ...(token === undefined ? {} : { token }),
    platform: {
      subject_type: subjectType,
      resource_type: resourceType,
      ...(subject === undefined ? {} : { subject_external_id: subject.id }),
      ...(resource === undefined ? {} : { resource_external_id: resource.id }),
    },
  };
  const all: Readonly<Record<string, unknown>> = {
    i: 0,
    s: subject === undefined ? null : nodeKey(pk, subjectType, subject.id),
    r: resource === undefined ? null : nodeKey(pk, resourceType, resource.id),
    c0: true,
    after: "",
    limit: sampleRows,
    skip: 0,
    take: sampleRows,
  };
  return { ...Object.fromEntries(takes.map((name) => [name, all[name]])), ...bindRow(needs, inputs) };
};

/** Plans a statement, or runs it on the row of a sample and profiles it. */
const planOf = async (
  database: Database,
  statement: PurposedStatement,
  row: Readonly<Record<string, unknown>> | undefined,
  options: Omit<StatementOptions, "timeoutMs">,
  planMs: number,
): Promise<{ plan?: PlanOperator; reason?: string }> => {
  let plan: PlanOperator | undefined;
  const onPlan = (operator: PlanOperator): void => void (plan = operator);
  try {
    if (row === undefined)
      await database.read(`EXPLAIN ${statement.text}`, {}, { ...options, onPlan, timeoutMs: planMs });
    else
      await database.read(statement.text, statement.form === "rows" ? { rows: [row] } : { __row: row }, {
        ...options,
        onPlan,
        timeoutMs: profileMs,
        onWork: () => undefined,
        onRow: () => true,
      });
  } catch (error) {
    if (error instanceof StatementTimeout) return { reason: `takes longer than ${error.timeoutMs} ms` };
    if (error instanceof DataFault) return { reason: error.message };
    throw error;
  }
  return plan === undefined ? {} : { plan };
};

const hitsOf = ({ hits = 0, children }: PlanOperator): number =>
  children.reduce((sum, child) => sum + hitsOf(child), hits);

/** @param hideKey replaces the project's key in a text. */
const describePlan = (plan: PlanOperator | undefined, hideKey: (text: string) => string) => {
  if (plan === undefined) return { findings: [] };
  return {
    plan: previewedPlan(plan, hideKey),
    findings: findingsOf(plan),
    ...(plan.rows === undefined ? {} : { rows: plan.rows, hits: hitsOf(plan) }),
  };
};

const replaceKey =
  (key: string) =>
  (text: string): string =>
    key === "" ? text : text.replaceAll(key, "p");

/** Statements of one policy or query with their plans; nothing is written, and only those that read are run. */
export const previewStatements = async (
  graph: Graph,
  store: Store,
  project: StoredRecord,
  source: PreviewSource,
  { sample }: PreviewOptions,
  { organizationId, requestId, signal }: CallerContext,
): Promise<readonly Statement[]> => {
  const pk = projectKeyOf(project);
  const database = databaseOf(graph, store, project);
  // A new key of the same form: the author's text cannot contain it, so that only the key is replaced in what is shown.
  const shownKey = pk === "" ? pk : newProjectKey(randomBytes(8));
  const texts = source.statements(shownKey).map(({ text }) => replaceKey(shownKey)(text));
  const names = namesOf(source.needs);
  const planMs = store.planning.limits.statementMs;
  const closing: Promise<unknown>[] = [];
  const options = { requestId, signal, onClosing: (each: Promise<unknown>) => void closing.push(each) };
  const slot = await store.planning.enter(organizationId, signal);
  try {
    const answers: Statement[] = [];
    for (const [index, statement] of source.statements(pk).entries()) {
      const row =
        sample === undefined || statement.takes === undefined
          ? undefined
          : rowOf(statement, source, sample, pk);
      const { plan, reason } =
        typeof database === "string"
          ? { reason: database }
          : await planOf(database, statement, row, options, planMs);
      answers.push({
        purpose: statement.purpose,
        cypher: texts[index] ?? "",
        parameters: [...(statement.takes ?? []), ...names],
        ...(reason === undefined ? {} : { reason }),
        ...describePlan(plan, replaceKey(pk)),
      });
    }
    return answers;
  } finally {
    // The database may still be planning a statement that was stopped.
    void Promise.allSettled(closing).then(() => slot.release());
  }
};
