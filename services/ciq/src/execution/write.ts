import { newGid, Problem } from "@ikg/contracts";
import { type Database, isTransient, type Row, type StatementOptions, type Transaction } from "@ikg/graph";
import type { BoundValues } from "@ikg/policy-core";
import {
  atOnceValues,
  bindUpserts,
  type BoundStatement,
  type BoundUpserts,
  maxRows,
  planWrites,
  type WriteEffects,
  type UpsertStatement,
  type WritePlan,
  type WriteStatements,
  type EntryWrites,
} from "@ikg/policy-core/statements";
import type { ProjectedRow, ShownProject } from "@ikg/query-rows";
import { openPage, type Page, type PageLimits, pageOfRows, rowReader } from "../results/page.ts";
import type { StatementRow } from "./statement-row.ts";

/** The values of one execution, as its statements read them. */
export interface WriteRequest {
  readonly values: BoundValues;
  readonly row: StatementRow;
  readonly page: PageLimits;
  readonly take: number;
  readonly options: StatementOptions;
  readonly project: ShownProject;
  /** May run as one statement: its rows are known to be small, so that it returns little before it commits. */
  readonly mayBeOnce: boolean;
  /** Called with the elements that the transaction changes, once for each attempt. */
  readonly onWrite?: ((effects: WriteEffects) => void) | undefined;
  /** Called with what each entry of the query writes, once for each attempt. */
  readonly onEntryWrites?: ((writes: readonly EntryWrites[]) => void) | undefined;
}

/** Attempts of an execution whose nodes or relationships another writer deletes between its match and its upserts. */
const tries = 3;

/** An element of the match was deleted before it could be written. */
class ElementDeletedError extends Error {
  override readonly name = "ElementDeletedError";
}

const unprocessable = (errors: readonly string[]): Problem => new Problem("unprocessable", { errors });

const run = (tx: Transaction, { text, params }: BoundStatement): Promise<Row[]> => tx.run(text, params);

const count = (value: unknown): number => (typeof value === "number" ? value : 0);

/** Compares the result of an upsert with the elements that it must find. */
const checkUpsert = ({ elements, newRelationship }: UpsertStatement, answer: readonly Row[]): void => {
  const [first] = answer;
  if ((newRelationship === undefined ? count(first?.["written"]) : answer.length) < elements)
    throw new ElementDeletedError();
  if (count(first?.["moved"]) > 0) {
    throw unprocessable([
      "query.upsert_relationships: the property that distinguishes parallel relationships cannot be changed",
    ]);
  }
};

/** Steps 2 and 3, sent without waiting; resolves to the rows of each statement of the relationships. */
const upsert = async (tx: Transaction, plan: WritePlan, lockFirst: boolean): Promise<readonly Row[][]> => {
  const upserts = [...plan.nodes, ...plan.relationships];
  const locked = lockFirst ? run(tx, plan.locks) : undefined;
  const [answers] = await Promise.all([Promise.all(upserts.map((statement) => run(tx, statement))), locked]);
  upserts.forEach((statement, index) => checkUpsert(statement, answers[index] ?? []));
  return answers.slice(plan.nodes.length);
};

/** Rows of the first read; their size determines how many more are read at one time. */
const firstShown = 4;

/** Step 4: the rows of the page as far as they fit, in several reads. */
const project = async (
  tx: Transaction,
  plan: WritePlan,
  matched: readonly Row[],
  answers: readonly Row[][],
  { columns }: WriteStatements,
  { page: limits, project: shown }: WriteRequest,
): Promise<Page> => {
  const { skip, bytes } = limits;
  const builder = openPage(limits);
  const read = rowReader(columns, shown);
  for (let from = 0, wanted = firstShown; from < matched.length;) {
    const some = matched.slice(from, from + wanted);
    const projection = plan.projection(skip + from, some, answers);
    const rows = projection === undefined ? [] : await run(tx, projection);
    const byNumber = new Map(rows.map((row) => [row["i"], row]));
    for (const [index, match] of some.entries()) {
      // What a WITH bound comes from the match, nodes and relationships from after the upserts.
      const row = { ...match, ...byNumber.get(skip + from + index) };
      if (!builder.add(read(columns.map(({ name }) => row[name])))) return builder.page();
    }
    from += some.length;
    const { bytes: used } = builder.page();
    wanted = Math.max(1, Math.floor(((bytes - used) * from) / (used + 1)));
  }
  return builder.page();
};

const newNodeId = (): string => newGid("node");

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Runs the execution as one statement, in one round trip; undefined when it wrote nothing, because only the steps report errors. */
const atOnce = async (
  database: Database,
  statements: WriteStatements,
  text: string,
  bound: BoundUpserts,
  now: string,
  { row, page, take, options, project, onWrite }: WriteRequest,
): Promise<Page | undefined> => {
  const { skip } = page;
  const values = atOnceValues(statements, bound, { now, newNodeId });
  const [answer] = await database.writeOnce(text, { __row: row, skip, take, ...values }, options);
  // The statement always returns a row; without one it is unknown whether it wrote.
  if (answer === undefined) throw new Problem("commit_unknown");
  if (answer["refused"] === true) return undefined;
  onWrite?.({
    upsertedNodes: [...new Set(list(answer["nodes"]).filter((key) => typeof key === "string"))],
    deletedNodes: [],
    upsertedRelationships: count(answer["links"]),
    deletedRelationships: 0,
  });
  const rows: ProjectedRow[] = [];
  const read = rowReader(statements.columns, project);
  for (const shown of list(answer["shown"])) {
    const [number, ...values] = list(shown);
    rows[Number(number) - skip] = read(values);
  }
  try {
    return pageOfRows(rows, page);
  } catch (error) {
    // The write is committed, and its rows cannot be returned.
    throw new Problem("commit_unknown", { cause: error });
  }
};

/** Runs the execution in the steps of docs/decisions/0009-write-steps.md, in one transaction. */
const bySteps =
  (statements: WriteStatements, bound: BoundUpserts, now: string, request: WriteRequest) =>
  async (tx: Transaction, lockFirst: boolean): Promise<Page> => {
    const rows = await tx.run(statements.match.text, { __row: request.row });
    if (rows.length > maxRows) {
      throw unprocessable([`query: more than ${maxRows} rows match; nothing was written`]);
    }
    const planned = planWrites(statements, bound, rows, {
      now,
      newNodeId,
      resolverFields: request.row.resolverFields,
    });
    if (!planned.ok) throw unprocessable(planned.faults);
    const plan = planned.value;
    request.onEntryWrites?.(plan.written());
    request.onWrite?.(plan.effects());
    const answers = await upsert(tx, plan, lockFirst);
    const { page, take } = request;
    const matched = rows.slice(page.skip, page.skip + take);
    // The projection runs before the deletes.
    const shown = await project(tx, plan, matched, answers, statements, request);
    await Promise.all(plan.deletes.map((statement) => run(tx, statement)));
    return shown;
  };

/**
 * Runs a writing query as one write transaction: for all matched rows, whatever page is requested. Paging cuts the returned
 * rows alone.
 *
 * @throws Problem `unprocessable` (422): values that cannot be written, more than 10,000 rows, elements of the
 *   platform among them; what `Database.write` throws. Nothing is written then, but for `commit_unknown`.
 */
export const executeWrite = async (
  database: Database,
  statements: WriteStatements,
  request: WriteRequest,
  clock: () => Date = () => new Date(),
): Promise<Page> => {
  const now = clock().toISOString();
  const bound = bindUpserts(statements.writes, request.values, now);
  if (!bound.ok) throw unprocessable(bound.faults);
  const deadline = performance.now() + request.options.timeoutMs;
  // After a deadlock the locks that are known beforehand are taken first, in one order, so that executions seldom meet again.
  // The database repeats a transaction that deadlocks even so.
  let attempts = 0;
  // Explained executions run in steps, and so do those that met another writer.
  if (statements.atOnce !== undefined && request.mayBeOnce && request.onEntryWrites === undefined)
    try {
      const page = await atOnce(database, statements, statements.atOnce, bound.value, now, request);
      if (page !== undefined) return page;
    } catch (error) {
      if (!isTransient(error)) throw error;
      attempts++;
    }
  const runSteps = bySteps(statements, bound.value, now, request);
  for (let attempt = 1; ; attempt++) {
    try {
      const timeoutMs = Math.max(1, deadline - performance.now());
      return await database.write((tx) => runSteps(tx, attempts++ > 0), { ...request.options, timeoutMs });
    } catch (error) {
      if (!(error instanceof ElementDeletedError)) throw error;
      if (attempt === tries)
        throw new Problem("unavailable", { headers: { "Retry-After": "1" }, cause: error });
    }
  }
};
