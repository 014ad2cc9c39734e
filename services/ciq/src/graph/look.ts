import type { CatalogProject } from "@ikg/catalog";
import { NodeRef, Problem } from "@ikg/contracts";
import type { Database, DatabasePart, Graph, Row, StatementOptions } from "@ikg/graph";
import { nodeKey } from "@ikg/physical";
import type { ShownProject } from "@ikg/query-rows";
import { executionError } from "../execution/execution-errors.ts";
import { AnswerTooLarge, type ExecutionMemory } from "../memory/execution-memory.ts";
import { placeText } from "./statements.ts";

/** One look of an administrator at the graph of a project. */
export interface Look {
  readonly graph: Graph;
  readonly project: CatalogProject;
  readonly shown: ShownProject;
  readonly memory: ExecutionMemory;
  readonly requestId: string;
  readonly signal: AbortSignal;
  /** When the answer has to be complete, as `performance.now()` tells. */
  readonly endsAt: number;
}

/** A node by its type and external id. */
export interface NodeName {
  readonly type: string;
  readonly externalId: string;
}

export const nodeNotFound = (): Problem => new Problem("not_found", { errors: ["node: not found"] });

/** Bytes of one answer. */
export const pageBytes = ({ project }: Look): number => project.limits.page_bytes;

/** @throws AnswerTooLarge for the text of an answer that is larger than it may be. */
export const fitting = (look: Look, text: string): string => {
  const bytes = Buffer.byteLength(text);
  if (bytes > pageBytes(look)) throw new AnswerTooLarge(`an answer of ${bytes} bytes`);
  return text;
};

/** What the database answers for a page holds names and fields that the page leaves out. */
const answerBytes = (look: Look): number => 2 * pageBytes(look);

/** Runs a statement within what is left of the time of the look. */
export const readRows = (
  look: Look,
  database: Database,
  text: string,
  params: Readonly<Record<string, unknown>>,
  more: Pick<StatementOptions, "onRow"> = {},
): Promise<Row[]> => {
  const { memory, requestId, signal, endsAt } = look;
  const timeoutMs = Math.max(1, endsAt - performance.now());
  const intake = memory.intake(answerBytes(look));
  return database.read(text, params, { timeoutMs, requestId, signal, intake, ...more });
};

/** The part of a composite graph that holds the nodes of a location; undefined for the default database. */
const partOf = ({ composite }: CatalogProject, location: unknown): DatabasePart | undefined => {
  const constituent = typeof location === "string" ? composite?.constituents.get(location) : undefined;
  return constituent === undefined ? undefined : { constituent };
};

/** The databases that hold a node: the default one, and that of its location. */
export interface Placed {
  readonly key: string;
  readonly databases: readonly Database[];
}

/**
 * Finds a node.
 *
 * @throws Problem `not_found` (404) for a node that is not there, for one of the platform, and for what no node is called.
 */
export const placeNode = async (look: Look, { type, externalId }: NodeName): Promise<Placed> => {
  const { graph, project } = look;
  const isName = NodeRef.safeParse({ type, external_id: externalId }).success;
  if (!isName || type.startsWith("_")) throw nodeNotFound();
  const key = nodeKey(project.pk, type, externalId);
  const main = graph.of(project);
  const [found] = await readRows(look, main, placeText(project.pk), { key });
  if (found === undefined) throw nodeNotFound();
  const part = partOf(project, found["location"]);
  return { key, databases: part === undefined ? [main] : [main, graph.of(project, part)] };
};

/**
 * What the caller receives of a failed look.
 *
 * @param what of the answer was too large.
 * @returns Problem `unprocessable` (422) for an answer that no page holds, `request_timeout` (408); other errors unchanged.
 */
export const lookError = (error: unknown, what: string, bytes: number): unknown =>
  error instanceof AnswerTooLarge
    ? new Problem("unprocessable", {
        errors: [`${what}: larger than an answer may be (limit page_bytes, ${bytes})`],
        cause: error,
      })
    : executionError(error, bytes);
