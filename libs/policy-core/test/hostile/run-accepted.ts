import { randomUUID } from "node:crypto";
import { DataFault, type Graph, type Params, type Row, StatementTimeout } from "@ikg/graph";
import { nodeKey, projectKey } from "@ikg/physical";
import { eventually } from "../../../../stack/src/testing/eventually.ts";
import { bindRow } from "../../src/index.ts";
import { largestInputs, storedValues } from "../bounds/largest.ts";
import { dropGraph, writeGraph } from "../graph.ts";
import type { Printed } from "../sample-policies/statements-of.ts";

/** The project of the statements that tests print: the hostile tenant. */
export const hostileProject = projectKey("00000000");
const pk = hostileProject;

const properties = {
  a: storedValues.text,
  name: storedValues.text,
  l: storedValues.list,
  tags: storedValues.list,
  x: 1,
};

/** A small hospital with the largest values that can be stored. */
export const writeHostileGraph = async (graph: Graph): Promise<void> => {
  await dropGraph(graph, pk);
  await writeGraph(
    graph,
    pk,
    [
      { type: "Nurse", id: "n", properties },
      { type: "Ward", id: "w", properties },
      ...["c1", "c2", "c3"].map((id) => ({ type: "Chart", id, properties })),
    ],
    [
      ["Nurse/n", "ON", "Ward/w"],
      ...["c1", "c2", "c3"].map((id) => ["Ward/w", "HOLDS", `Chart/${id}`] as const),
      ["Nurse/n", "SIGNS", "Chart/c1"],
    ],
  );
};

export const dropHostileGraph = (graph: Graph): Promise<void> => dropGraph(graph, pk);

/** The memory limit of transactions ended it, as it should; the heap's end is another error. */
const isTransactionLimit = (error: unknown): boolean =>
  error instanceof Error && /memory\.transaction\.(total\.)?max/.test(String(error.cause));

/** The database refuses some texts of authors, and says so before it runs them. */
const isTextRefusal = (error: unknown): boolean => {
  const { cause } = error as { readonly cause?: { readonly code?: string } };
  return cause?.code?.startsWith("Neo.ClientError.Statement.") ?? false;
};

/** Errors by which a statement ends as it should: of its text, of a value, of its memory. */
const isRefusal = (error: unknown): boolean =>
  error instanceof DataFault || isTransactionLimit(error) || isTextRefusal(error);

/** How a statement ended, and how many milliseconds the database was busy with it. */
export interface Outcome {
  readonly ms: number;
  /** `refusal`: its text, one of its values or its memory ended it, as they should. */
  readonly end: "answer" | "timeout" | "refusal" | "failure";
  /** Of a failure: an error that no text of an author may cause. */
  readonly error?: unknown;
}

const running =
  "SHOW TRANSACTIONS YIELD metaData WHERE metaData.request_id = $id RETURN count(*) AS transactions";

/**
 * Waits until the database has ended what it was asked under this request id: the caller of a statement
 * learns of its timeout when that has passed, whatever the database still does.
 */
const untilEnded = async (graph: Graph, id: string): Promise<void> => {
  const countRunning = async (): Promise<unknown> => {
    const [row] = await graph.shared.read(running, { id }, { timeoutMs: 60_000 });
    return row?.["transactions"];
  };
  await eventually(countRunning, (count) => count === 0, { withinMs: 300_000, everyMs: 10 });
};

/** Under which request id the database was asked, and when, by `performance.now()`. */
interface StatementStart {
  readonly requestId: string;
  readonly startMs: number;
}

/**
 * The outcome of what ended with an error, once the database has ended it as well. A database that fails
 * while it is waited for is a failure of the statement.
 */
export const failedOutcome = async (
  graph: Graph,
  { requestId, startMs }: StatementStart,
  error: unknown,
): Promise<Outcome & { readonly rows: readonly Row[] }> => {
  const msSoFar = (): number => performance.now() - startMs;
  if (isRefusal(error)) return { rows: [], ms: msSoFar(), end: "refusal" };
  if (!(error instanceof StatementTimeout)) return { rows: [], ms: msSoFar(), end: "failure", error };
  try {
    await untilEnded(graph, requestId);
    return { rows: [], ms: msSoFar(), end: "timeout" };
  } catch (failure) {
    return { rows: [], ms: msSoFar(), end: "failure", error: failure };
  }
};

/** Runs a statement to its end in the database. */
export const runToEnd = async (
  graph: Graph,
  text: string,
  params: Params,
  timeoutMs: number,
): Promise<Outcome & { readonly rows: readonly Row[] }> => {
  const requestId = randomUUID();
  const startMs = performance.now();
  try {
    const rows = await graph.shared.read(text, params, { timeoutMs, requestId });
    return { rows, ms: performance.now() - startMs, end: "answer" };
  } catch (error) {
    return failedOutcome(graph, { requestId, startMs }, error);
  }
};

/** Runs what is printed of an accepted text with the largest values that it takes. */
export const runAccepted = (
  graph: Graph,
  { text, needs }: Printed,
  timeoutMs: number,
): Promise<Outcome & { readonly rows: readonly Row[] }> => {
  const values = needs === undefined ? {} : bindRow(needs, largestInputs(needs));
  const row = {
    ...{ i: 0, c0: true, after: "", limit: 100, skip: 0, take: 10 },
    ...{ s: nodeKey(pk, "Nurse", "n"), r: nodeKey(pk, "Chart", "c1") },
    ...values,
  };
  return runToEnd(graph, text, { rows: [row], __row: row }, timeoutMs);
};

/** Times of one statement in milliseconds. */
export interface TimeLimits {
  /** When the database is to end it. */
  readonly limitMs: number;
  /** When it has ended at the latest. */
  readonly mostMs: number;
}
