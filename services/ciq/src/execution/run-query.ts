import type { StatementOptions } from "@ikg/graph";
import type { KnowledgeQuery } from "@ikg/policy-core/queries";
import type { ReadStatement, WriteStatements } from "@ikg/policy-core/statements";
import type { Page } from "../results/page.ts";
import type { AuthorizedQuery } from "./authorize.ts";
import type { ExecuteParts, Execution } from "./execution.ts";
import { readPage } from "./read.ts";
import type { StatementContext } from "./statement-context.ts";
import type { QueryStatements } from "./statements.ts";
import { executeWrite } from "./write.ts";
import { writeNames } from "./write-names.ts";

type Parts = Pick<ExecuteParts, "answers" | "names">;

/** True for a query whose rows are small for every graph: they show external ids, other system fields and scores. */
const isNarrow = ({ nodes, relationships, aggregates }: KnowledgeQuery): boolean =>
  relationships.length === 0 &&
  aggregates.length === 0 &&
  nodes.every(({ kind }) => kind === "system" || kind === "trust" || kind === "all-trust");

const runRead = (
  { sizes }: ExecuteParts["answers"],
  statement: ReadStatement,
  context: StatementContext,
): Promise<Page> => {
  const { database, explainer, options, row } = context;
  const read = (each: StatementOptions): Promise<Page> =>
    readPage(database, statement, { ...context, row: { ...row } }, each, sizes);
  return explainer === undefined ? read(options) : explainer.countWork(read);
};

const runWrite = async (
  { answers: { sizes }, names }: Parts,
  statements: WriteStatements,
  context: StatementContext,
  { countsPages = false, listener }: Execution,
  { view, query }: AuthorizedQuery,
): Promise<Page> => {
  const { database, explainer } = context;
  await names.reserve(view.project, writeNames(statements));
  await explainer?.explainMatch(statements.match.text);
  const page = await executeWrite(database, statements, {
    ...context,
    // One statement commits before its page is known to be whole.
    mayBeOnce: !countsPages && (isNarrow(query) || sizes.areSmall(statements)),
    onEntryWrites: explainer?.recordWrites,
    onWrite: listener?.onWrite,
  });
  sizes.record(statements, page.count, page.bytes);
  return page;
};

/**
 * Runs the statements of a query.
 *
 * @returns the requested page, without external values
 */
export const runQuery = (
  parts: Parts,
  statements: QueryStatements,
  context: StatementContext,
  execution: Execution,
  authorized: AuthorizedQuery,
): Promise<Page> =>
  statements.kind === "read"
    ? runRead(parts.answers, statements.read, context)
    : runWrite(parts, statements.write, context, execution, authorized);
