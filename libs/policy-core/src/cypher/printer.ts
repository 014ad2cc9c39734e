import { clauseText, queryText } from "./print/clauses.ts";
import { expressionText } from "./print/expressions.ts";
import { patternText } from "./print/patterns.ts";
import type { Clause, Expression, PathPattern, Query } from "./ast.ts";

/**
 * Tree to text that the database reads exactly as the tree is: names in back-quotes where needed, every operator
 * in parentheses, labels joined with `&` and `|` only, strings escaped. Valid in Cypher 5 and 25, the same text
 * for the same tree always, and `parse` reads it back as that tree.
 *
 * @throws Error for a name that no statement can hold (empty, or with a backslash before a `u`); parsed trees
 *   have none
 */
export const printQuery = (query: Query): string => queryText(query, expressionText);

export const printClause = (clause: Clause): string => clauseText(clause, expressionText);

export const printPattern = (pattern: PathPattern): string => patternText(pattern, expressionText);

export const printExpression = (expression: Expression): string => expressionText(expression);

export { printLabel } from "./print/names.ts";
