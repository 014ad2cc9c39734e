import { keyPrefix, type ProjectKey } from "@ikg/physical";
import type { Expression } from "../cypher/ast.ts";
import { printExpression } from "../cypher/printer.ts";
import { printFilter } from "../filters/print.ts";
import type { CiqPolicy } from "../policy/ciq.ts";
import type { KnowledgeQuery } from "../query/query.ts";
import { concat, property, text } from "../rewrite/build.ts";
import { rewrite } from "../rewrite/rewrite.ts";
import { rowOf } from "../rewrite/values.ts";
import { columnsOf, type Column } from "./columns.ts";
import { orderOf } from "./order.ts";
import { pushedKeys } from "./pushdown.ts";
import { nodeByKey, printClauses } from "./statement.ts";

/** A reading query as one statement. */
export interface ReadStatement {
  readonly text: string;
  readonly columns: readonly Column[];
}

/** The key by which the subject is bound before the text, where who it is is known beforehand. */
const subjectKey = (
  policy: CiqPolicy,
  pk: ProjectKey,
  pushed: ReadonlyMap<string, Expression>,
): Expression | undefined => {
  if (policy.pin !== "policy") return property(rowOf("plain"), "s");
  const key = pushed.get("subject");
  return key === undefined ? undefined : concat(text(keyPrefix(pk, policy.subjectType)), key);
};

/**
 * Prints a reading query: pattern, filters, total order, page, projection (policies specification 9).
 *
 * Takes `$__row`: `s` (key of the subject that the platform pins), `skip`, `take`, and `BoundValues`. The
 * columns are read after ordering and cutting, so that trust scores and whole nodes cost only a page.
 */
export const readStatement = (query: KnowledgeQuery, pk: ProjectKey): ReadStatement => {
  const { policy } = query;
  const { analysis, query: tree } = policy.condition;
  const place = { pk, form: "plain" as const };
  const filters = [policy.filter?.filter, query.filter?.filter].flatMap((filter) => filter ?? []);
  const keys = pushedKeys(filters, analysis, place);
  const subject = subjectKey(policy, pk, keys);
  const options = {
    ...place,
    bound: new Set(subject === undefined ? [] : ["subject"]),
    types: new Map([["subject", policy.subjectType]]),
    keys,
  };
  const columns = columnsOf(query, pk);
  const predicate = filters.map((filter) => printExpression(printFilter(filter, place))).join(" AND ");
  const order = orderOf(query, columns).map(printExpression).join(", ");
  const lines = [
    ...(subject === undefined
      ? []
      : [`MATCH ${nodeByKey("subject", policy.subjectType, pk, subject)}`, "WITH subject LIMIT 1"]),
    printClauses(rewrite(tree, analysis.report, options)),
    ...(predicate === "" ? [] : [`WITH * WHERE ${predicate}`]),
    `WITH * ORDER BY ${order} SKIP $__row.skip LIMIT $__row.take`,
    `RETURN ${columns.map((column) => `${printExpression(column.expression)} AS ${column.name}`).join(", ")}`,
  ];
  return { text: lines.join("\n"), columns };
};
