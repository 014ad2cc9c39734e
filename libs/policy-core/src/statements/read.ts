import type { ProjectKey } from "@ikg/physical";
import type { KnowledgeQuery } from "../query/query.ts";
import { columnsOf, printColumn, type Column } from "./columns.ts";
import { orderOf } from "./order.ts";
import { matchedRows } from "./rows.ts";

/** A reading query as one statement. */
export interface ReadStatement {
  readonly text: string;
  readonly columns: readonly Column[];
}

/**
 * Prints a reading query: pattern, filters, total order, page, projection (policies specification 9).
 *
 * Takes `$__row`: `s` (key of the subject that the platform pins), `skip`, `take`, and `BoundValues`. The
 * columns are read after ordering and cutting, so that trust scores and whole nodes cost only a page. A column of a
 * property holds `{resolver, external_id, type}` where the property refers to a resolver.
 */
export const readStatement = (query: KnowledgeQuery, pk: ProjectKey): ReadStatement => {
  const columns = columnsOf(query, pk);
  const lines = [
    ...matchedRows(query, pk),
    `WITH * ORDER BY ${orderOf(query, columns, pk).join(", ")} SKIP $__row.skip LIMIT $__row.take`,
    `RETURN ${columns.map(printColumn).join(", ")}`,
  ];
  return { text: lines.join("\n"), columns };
};
