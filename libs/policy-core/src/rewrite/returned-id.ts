import type { Clause, Expression, ProjectionItem, Query, ReturnClause, WithClause } from "../cypher/ast.ts";
import { noPosition, variable } from "./build.ts";

/** A value of a node that leaves every CALL together with the node. */
interface ReturnedId {
  /** The name of the node. */
  readonly name: string;
  /** Reads the node alone, so that it changes neither groups nor what is distinct. */
  readonly id: Expression;
  /** The name of the value. */
  readonly as: string;
}

const item = (expression: Expression, alias?: string): ProjectionItem => ({
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

const body = (query: Query, returned: ReturnedId): { readonly query: Query; readonly carried: boolean } => {
  const { name, id, as } = returned;
  let carried = false;
  const clauses = query.clauses.map((clause): Clause => {
    if (clause.kind === "call") {
      const inner = body(clause.body, returned);
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
    const added = carried ? item(variable(as)) : item(id, as);
    carried = true;
    return { ...clause, items: [...clause.items, added] };
  });
  return { query: { ...query, clauses }, carried };
};

/**
 * Makes every CALL that returns a node return its id, too, and carries that to the end: in a composite database a node
 * from one constituent is only a reference outside.
 *
 * @returns the text, and the name that holds the id at its end; undefined when the text itself finds the node.
 */
export const withReturnedId = (
  query: Query,
  returned: ReturnedId,
): { readonly query: Query; readonly id: string | undefined } => {
  const found = body(query, returned);
  return { query: found.query, id: found.carried ? returned.as : undefined };
};
