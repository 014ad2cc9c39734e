import type { CatalogProject } from "@ikg/catalog";
import { NodeRef, Problem } from "@ikg/contracts";
import type { Database, DatabasePart, Graph, Row, StatementOptions } from "@ikg/graph";
import { nodeKey } from "@ikg/physical";
import type { ShownProject } from "@ikg/query-rows";
import { executionError } from "../execution/execution-errors.ts";
import { AnswerTooLarge, type ExecutionMemory } from "../memory/execution-memory.ts";
import { locationText } from "./statements.ts";

/** One read of the graph of a project by an administrator. */
export interface GraphReadContext {
  readonly graph: Graph;
  readonly project: CatalogProject;
  readonly shown: ShownProject;
  readonly memory: ExecutionMemory;
  readonly requestId: string;
  readonly signal: AbortSignal;
  /** Deadline in the time base of `performance.now()`. */
  readonly deadline: number;
}

/** A node by its type and external id. */
export interface NodeName {
  readonly type: string;
  readonly externalId: string;
}

export const nodeNotFound = (): Problem => new Problem("not_found", { errors: ["node: not found"] });

/** Limit of the bytes of one response. */
export const pageBytes = ({ project }: GraphReadContext): number => project.limits.page_bytes;

/** @throws AnswerTooLarge for a text above the limit of one response. */
export const withinPageBytes = (context: GraphReadContext, text: string): string => {
  const bytes = Buffer.byteLength(text);
  if (bytes > pageBytes(context)) throw new AnswerTooLarge(`an answer of ${bytes} bytes`);
  return text;
};

/** Database rows carry names and fields that the page omits, hence twice its size. */
const responseBytes = (context: GraphReadContext): number => 2 * pageBytes(context);

/** Runs a statement within the time that is left until the deadline. */
export const readRows = (
  context: GraphReadContext,
  database: Database,
  text: string,
  params: Readonly<Record<string, unknown>>,
  more: Pick<StatementOptions, "onRow"> = {},
): Promise<Row[]> => {
  const { memory, requestId, signal, deadline } = context;
  const timeoutMs = Math.max(1, deadline - performance.now());
  const responseBudget = memory.responseBudget(responseBytes(context));
  return database.read(text, params, { timeoutMs, requestId, signal, responseBudget, ...more });
};

/** The part of a composite graph that holds the nodes of a location; undefined for the default database. */
const databasePartOf = ({ composite }: CatalogProject, location: unknown): DatabasePart | undefined => {
  const constituent = typeof location === "string" ? composite?.constituents.get(location) : undefined;
  return constituent === undefined ? undefined : { constituent };
};

/** The databases that hold a node: the default one, and that of its location. */
export interface NodeLocation {
  readonly key: string;
  readonly databases: readonly Database[];
}

/**
 * Finds a node.
 *
 * @throws Problem `not_found` (404) for a node that does not exist, for one of the platform, and for an invalid name.
 */
export const locateNode = async (
  context: GraphReadContext,
  { type, externalId }: NodeName,
): Promise<NodeLocation> => {
  const { graph, project } = context;
  const isName = NodeRef.safeParse({ type, external_id: externalId }).success;
  if (!isName || type.startsWith("_")) throw nodeNotFound();
  const key = nodeKey(project.pk, type, externalId);
  const main = graph.of(project);
  const [found] = await readRows(context, main, locationText(project.pk), { key });
  if (found === undefined) throw nodeNotFound();
  const part = databasePartOf(project, found["location"]);
  return { key, databases: part === undefined ? [main] : [main, graph.of(project, part)] };
};

/**
 * The error of a failed read as the caller receives it.
 *
 * @param what the part of the answer that was too large.
 * @param limit `page_bytes` of the project.
 * @returns Problem `unprocessable` (422) for an answer that no page holds, `request_timeout` (408); other errors unchanged.
 */
export const graphReadError = (error: unknown, what: string, limit: number): unknown =>
  error instanceof AnswerTooLarge
    ? new Problem("unprocessable", {
        errors: [`${what}: larger than an answer may be (limit page_bytes, ${limit})`],
        cause: error,
      })
    : executionError(error, limit);
