import type { Database, StatementOptions } from "@ikg/graph";
import { pageOf, type ReadStatement } from "@ikg/policy-core/statements";
import type { ShownProject } from "@ikg/query-rows";
import { AnswerTooLarge, type ExecutionMemory } from "../memory/execution-memory.ts";
import { openPage, type Page, type PageLimits, pageOfRows, rowReader } from "../results/page.ts";
import type { RowSizes } from "./row-sizes.ts";
import type { StatementRow } from "./statement-row.ts";

/** One read of an execution. */
export interface ReadRequest {
  readonly row: StatementRow;
  readonly take: number;
  readonly page: PageLimits;
  readonly project: ShownProject;
  readonly memory: ExecutionMemory;
}

/** Bytes that the database may return for a page read as one list: the driver holds them all at once. */
const listBytes = 2_097_152;

/** Bytes that the database may return for a page: rows carry properties of whole nodes that the page omits. */
export const answerBytes = ({ bytes }: PageLimits): number => 2 * bytes;

const isRow = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/** Reads the page as one list; undefined when it is too large for that. */
const readList = async (
  database: Database,
  statement: ReadStatement,
  { row, take, page, project, memory }: ReadRequest,
  options: StatementOptions,
): Promise<Page | undefined> => {
  const responseBudget = memory.responseBudget(Math.min(listBytes, answerBytes(page)));
  try {
    const parameters = { __row: { ...row, skip: page.skip, take } };
    const values = pageOf(await database.read(statement.text, parameters, { ...options, responseBudget }));
    return pageOfRows(values.map(rowReader(statement.columns, project)), page, responseBudget.bytes);
  } catch (error) {
    if (!(error instanceof AnswerTooLarge)) throw error;
    memory.release();
    return undefined;
  }
};

/** Reads the page row by row and stops where it is full. */
const readRows = async (
  database: Database,
  statement: ReadStatement,
  { row, take, page, project, memory }: ReadRequest,
  options: StatementOptions,
): Promise<{ readonly page: Page; readonly receivedBytes: number }> => {
  const responseBudget = memory.responseBudget(answerBytes(page));
  const builder = openPage(page);
  const shown = rowReader(statement.columns, project);
  const onRow = ({ row: values }: Readonly<Record<string, unknown>>): boolean =>
    isRow(values) && builder.add(shown(values));
  try {
    const parameters = { __row: { ...row, skip: page.skip, take } };
    await database.read(statement.rowsText, parameters, { ...options, responseBudget, onRow });
  } catch (error) {
    if (!(error instanceof AnswerTooLarge)) throw error;
    builder.cut();
  }
  return { page: builder.page(), receivedBytes: responseBudget.bytes };
};

/**
 * Reads one page. Pages of a query whose rows are known to be small come as one list, which takes less time; others row by
 * row, so that the memory that a page takes here and in the database is bounded whatever the rows hold.
 *
 * @throws Problem `unprocessable` (422) when the first row alone is larger than a page may be; what `Database.read` throws.
 */
export const readPage = async (
  database: Database,
  statement: ReadStatement,
  request: ReadRequest,
  options: StatementOptions,
  sizes: RowSizes,
): Promise<Page> => {
  if (sizes.areSmall(statement)) {
    const page = await readList(database, statement, request, options);
    if (page !== undefined) return page;
    sizes.recordTooLarge(statement);
  }
  const { page, receivedBytes } = await readRows(database, statement, request, options);
  sizes.record(statement, page.count, page.next === undefined ? receivedBytes : Infinity);
  return page;
};
