import type { Clause, ProjectionItem, Query, ReturnClause, WithClause } from "../cypher/ast.ts";
import { noPosition, property, variable } from "./build.ts";

const item = (expression: ProjectionItem["expression"], alias?: string): ProjectionItem => ({
  kind: "item",
  expression,
  ...(alias === undefined ? {} : { alias }),
  at: noPosition,
});

const keeps = (clause: WithClause | ReturnClause, name: string): boolean =>
  clause.items.some(
    ({ expression, alias }) =>
      expression.kind === "variable" && expression.name === name && (alias === undefined || alias === name),
  );

const body = (
  query: Query,
  name: string,
  as: string,
): { readonly query: Query; readonly carried: boolean } => {
  let carried = false;
  const clauses = query.clauses.map((clause): Clause => {
    if (clause.kind === "call") {
      const inner = body(clause.body, name, as);
      carried ||= inner.carried;
      return { ...clause, body: inner.query };
    }
    if (clause.kind === "with") {
      if (!carried || clause.star) return clause;
      carried = keeps(clause, name);
      return carried ? { ...clause, items: [...clause.items, item(variable(as))] } : clause;
    }
    if (clause.kind !== "return") return clause;
    if (!keeps(clause, name)) {
      carried = false;
      return clause;
    }
    const id = carried ? item(variable(as)) : item(property(variable(name), "external_id"), as);
    carried = true;
    return { ...clause, items: [...clause.items, id] };
  });
  return { query: { ...query, clauses }, carried };
};

/**
 * Makes every CALL that returns the node `name` return its external id as `as`, too, and carries that to the end:
 * in a composite database a node from one constituent is only a reference outside.
 * The id depends on the node alone, so it changes neither groups nor what is distinct.
 *
 * @returns the text, and the name that holds the id at its end; undefined when the text itself finds the node.
 */
export const withReturnedId = (
  query: Query,
  name: string,
  as: string,
): { readonly query: Query; readonly id: string | undefined } => {
  const found = body(query, name, as);
  return { query: found.query, id: found.carried ? as : undefined };
};
