import { printVariable } from "./names.ts";
import { patternText } from "./patterns.ts";
import type {
  CallClause,
  Clause,
  Expression,
  PathPattern,
  ProjectionItem,
  Query,
  ReturnClause,
} from "../ast.ts";
import type { SortItem, SubqueryBody, WithClause } from "../ast.ts";
import type { PrintExpression } from "./patterns.ts";

export const queryText = (query: Query, print: PrintExpression): string =>
  query.clauses.map((clause) => clauseText(clause, print)).join(" ");

export const clauseText = (clause: Clause, print: PrintExpression): string => {
  switch (clause.kind) {
    case "match": {
      const keyword = clause.optional ? "OPTIONAL MATCH" : "MATCH";
      return `${keyword} ${patternsText(clause.patterns, print)}${optional("WHERE", clause.where, print)}`;
    }
    case "with":
      return `WITH ${projectionText(clause, print)}${optional("WHERE", clause.where, print)}`;
    case "return":
      return `RETURN ${projectionText(clause, print)}`;
    case "unwind":
      return `UNWIND ${print(clause.expression)} AS ${printVariable(clause.alias)}`;
    case "use":
      return `USE graph.byName(${print(clause.argument)})`;
    case "call":
      return `CALL ${importsText(clause.imports)}{ ${queryText(clause.body, print)} }`;
  }
};

/** What stands in the braces of EXISTS and COUNT. */
export const bodyText = (body: SubqueryBody, print: PrintExpression): string =>
  body.kind === "query"
    ? queryText(body, print)
    : `${patternsText(body.patterns, print)}${optional("WHERE", body.where, print)}`;

const patternsText = (patterns: readonly PathPattern[], print: PrintExpression): string =>
  patterns.map((pattern) => patternText(pattern, print)).join(", ");

const projectionText = (clause: WithClause | ReturnClause, print: PrintExpression): string => {
  const items = clause.items.map((item) => itemText(item, print));
  const columns = (clause.star ? ["*", ...items] : items).join(", ");
  const order = clause.orderBy.map((item) => sortText(item, print)).join(", ");
  return [
    `${clause.distinct ? "DISTINCT " : ""}${columns}`,
    order === "" ? "" : ` ORDER BY ${order}`,
    optional("SKIP", clause.skip, print),
    optional("LIMIT", clause.limit, print),
  ].join("");
};

const itemText = (item: ProjectionItem, print: PrintExpression): string =>
  item.alias === undefined
    ? print(item.expression)
    : `${print(item.expression)} AS ${printVariable(item.alias)}`;

const sortText = (item: SortItem, print: PrintExpression): string =>
  `${print(item.expression)}${item.descending ? " DESC" : ""}`;

const importsText = (imports: CallClause["imports"]): string => {
  if (imports === "importing-with") return "";
  return imports === "all" ? "(*) " : `(${imports.map(printVariable).join(", ")}) `;
};

const optional = (keyword: string, expression: Expression | undefined, print: PrintExpression): string =>
  expression === undefined ? "" : ` ${keyword} ${print(expression)}`;
