import { type ProjectKey, quoteName } from "@ikg/physical";
import type { KnowledgeQuery } from "../query/query.ts";
import { aliasOf, columnsOf, printValue, type Column } from "./columns.ts";
import { orderOf } from "./order.ts";
import { matchedRows } from "./rows.ts";

/** A reading query as one statement. */
export interface ReadStatement {
  /** Answers the page as one list. */
  readonly text: string;
  /** Answers a record for each row: its values as a list in `row`. */
  readonly rowsText: string;
  /** The column at each position of a row. */
  readonly columns: readonly Column[];
}

const kept = "__kept";

/**
 * Takes what rows are made of through a list. The database would otherwise read properties as early as there are fewest rows,
 * and hold them, of any size, while it sorts.
 */
const readLate = (columns: readonly Column[]): readonly string[] => {
  const aliases = [...new Set(columns.map(aliasOf))].map(quoteName);
  return aliases.length === 0
    ? []
    : [
        `UNWIND [[${aliases.join(", ")}]] AS ${kept}`,
        `WITH ${aliases.map((alias, index) => `${kept}[${index}] AS ${alias}`).join(", ")}`,
      ];
};

/**
 * Prints a reading query: pattern, filters, total order, page, projection.
 *
 * Takes `$__row`: `s` (key of the subject that the platform pins), `skip`, `take`, `resolverFields` (names of stored fields that
 * resolvers read of nodes; may be left out), and `RowValues`. The
 * columns are read after ordering and cutting, so that trust scores and whole nodes cost only a page. The page comes as
 * one list, which costs a fraction of a record for each row; `pageOf` takes it out of the answer. A page of large rows comes
 * row by row instead: neither the database nor its reader then holds more than a row. A value of a property is
 * `{resolver, external_id, type, fields}` where the property refers to a resolver; `fields` are pairs of `resolverFields` and
 * values.
 */
export const readStatement = (query: KnowledgeQuery, pk: ProjectKey): ReadStatement => {
  const columns = columnsOf(query, pk);
  const { lines, fixed } = matchedRows(query, pk);
  const page = [
    ...lines,
    `WITH *${orderOf(query, columns, pk, fixed)} SKIP $__row.skip LIMIT $__row.take`,
  ].join("\n");
  const row = `[${columns.map((column) => printValue(column, "plain")).join(", ")}]`;
  return {
    text: `${page}\nRETURN collect(${row}) AS page`,
    rowsText: [page, ...readLate(columns), `RETURN ${row} AS row`].join("\n"),
    columns,
  };
};

/** The rows of a page, each with its values in the order of the columns. */
export type Page = readonly (readonly unknown[])[];

/** @param answer what the database answered to the `text` of a `ReadStatement`. */
export const pageOf = (answer: readonly Readonly<Record<string, unknown>>[]): Page =>
  (answer[0]?.["page"] ?? []) as Page; // as the statement returns it
