import { type ProjectKey, quoteName } from "@ikg/physical";
import type { KnowledgeQuery } from "../query/query.ts";
import { aliasOf, type Column, columnsOf, printValue } from "./columns.ts";
import { matchedRows } from "./rows.ts";
import { writtenAliases } from "./write/match.ts";

/** All rows of a query, in no order and of any number, to be compared with those of another one. */
export interface QueryRowsStatement {
  /** Answers a record for each row: external ids in `names`, values in `row`. */
  readonly text: string;
  /** Answers the number of rows in `rows`. */
  readonly countText: string;
  /** The node alias at each position of `names`. */
  readonly aliases: readonly string[];
  /** The column at each position of `row`. */
  readonly columns: readonly Column[];
}

/**
 * Prints the rows of a query: those that it reads, or, of a writing one, those that it matches before it writes. Their nodes are
 * those that it shows or writes to. Takes `$__row` as a `ReadStatement` does, without `skip` and `take`. It writes nothing.
 */
export const queryRowsStatement = (query: KnowledgeQuery, pk: ProjectKey): QueryRowsStatement => {
  const { bindings } = query.policy.condition.analysis;
  // What a writing query makes is not there yet.
  const columns = columnsOf(query, pk).filter((column) => bindings.has(aliasOf(column)));
  const named =
    query.writes === undefined
      ? query.nodes.map(({ alias }) => alias)
      : writtenAliases(query, query.writes).nodes;
  const aliases = [...new Set(named)].filter((alias) => bindings.get(alias)?.kind.kind === "node");
  const { lines } = matchedRows(query, pk);
  const names = aliases.map((alias) => `${quoteName(alias)}.external_id`).join(", ");
  const row = columns.map((column) => printValue(column, "plain")).join(", ");
  return {
    text: [...lines, `RETURN [${names}] AS names, [${row}] AS row`].join("\n"),
    countText: [...lines, "RETURN count(*) AS rows"].join("\n"),
    aliases,
    columns,
  };
};
