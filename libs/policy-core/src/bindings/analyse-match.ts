import type { Binary, Expression } from "../cypher/ast.ts";
import { compilePattern } from "../regex/pattern.ts";
import type { Visitor } from "./analyse-expression.ts";
import { type Kind, value } from "./kind.ts";
import type { Scope } from "./scope.ts";

const isParameter = (expression: Expression): boolean =>
  expression.kind === "parameter" || (expression.kind === "property" && isParameter(expression.target));

/**
 * `text =~ pattern`: the pattern is known before the statement runs, as a text or as a value of the request, because
 * the database's matcher takes time without bound on some patterns (README decision 39).
 */
export const analyseMatch = (expression: Binary, scope: Scope, visitor: Visitor): Kind => {
  const { report } = visitor;
  const { left, right } = expression;
  visitor.expression(left, scope);
  if (right.kind === "string") {
    const pattern = compilePattern(right.value);
    if ("fault" in pattern) report.fault(right.at, `not an accepted regular expression: ${pattern.fault}`);
  } else if (isParameter(right)) {
    visitor.expression(right, scope, "pattern");
    const reference = report.references.get(right);
    if (reference !== undefined) report.needs.add(reference, "pattern", "pattern");
  } else {
    report.fault(right.at, "the right side of =~ is a text, a parameter or a claim");
  }
  return value;
};
