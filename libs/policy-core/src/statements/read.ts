import type { ProjectKey } from "@ikg/physical";
import type { KnowledgeQuery } from "../query/query.ts";
import { columnsOf, printValue, type Column } from "./columns.ts";
import { orderOf } from "./order.ts";
import { matchedRows } from "./rows.ts";

/** A reading query as one statement. */
export interface ReadStatement {
  readonly text: string;
  /** What stands at each place of a row. */
  readonly columns: readonly Column[];
}

/**
 * Prints a reading query: pattern, filters, total order, page, projection (policies specification 9).
 *
 * Takes `$__row`: `s` (key of the subject that the platform pins), `skip`, `take`, and `BoundValues`. The
 * columns are read after ordering and cutting, so that trust scores and whole nodes cost only a page. The page comes as
 * one list, which costs a fraction of a record for each row; `pageOf` takes it out of the answer. A value of a
 * property is `{resolver, external_id, type}` where the property refers to a resolver.
 */
export const readStatement = (query: KnowledgeQuery, pk: ProjectKey): ReadStatement => {
  const columns = columnsOf(query, pk);
  const { lines, fixed } = matchedRows(query, pk);
  const text = [
    ...lines,
    `WITH *${orderOf(query, columns, pk, fixed)} SKIP $__row.skip LIMIT $__row.take`,
    `RETURN collect([${columns.map(printValue).join(", ")}]) AS page`,
  ];
  return { text: text.join("\n"), columns };
};

/** The rows of a page, each with its values in the order of the columns. */
export type Page = readonly (readonly unknown[])[];

/** @param answer what the database answered to a `ReadStatement`. */
export const pageOf = (answer: readonly Readonly<Record<string, unknown>>[]): Page =>
  (answer[0]?.["page"] ?? []) as Page; // as the statement says
