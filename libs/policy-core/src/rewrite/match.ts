import type { Report } from "../bindings/report.ts";
import type { Binary, Expression } from "../cypher/ast.ts";
import type { Inner } from "../cypher/map.ts";
import { maxSubject } from "../regex/java.ts";
import { patternOf } from "../regex/pattern.ts";
import { canBeTwice, named, nothing, operate, text, when } from "./build.ts";
import { physicalForm, type ValueForm } from "./values.ts";

const shortText = text(`(?s).{0,${maxSubject}}`);

/**
 * `=~` by the database's matcher, on texts that are not too long for it; anything else is unknown. `pattern` must
 * come from `compilePattern`: the matcher cannot be stopped once it runs.
 */
export const matchExpression = (subject: Expression, pattern: Expression): Expression => {
  const match = (each: Expression): Expression =>
    when(operate(each, "=~", shortText), operate(each, "=~", pattern));
  return canBeTwice(subject) ? match(subject) : named("__subject", subject, match);
};

/** A pattern of an author's for the database. */
export const patternLiteral = (pattern: unknown): Expression => {
  const java = patternOf(pattern)?.java;
  return java === undefined ? nothing : text(java);
};

/** `=~` of an author's text; undefined for other operators. */
export const rewriteMatch = (
  node: Binary,
  report: Report,
  form: ValueForm,
  inner: Inner,
): Expression | undefined => {
  if (node.operator !== "=~") return undefined;
  const { right } = node;
  const reference = report.references.get(right);
  const pattern =
    reference === undefined
      ? patternLiteral(right.kind === "string" ? right.value : undefined)
      : physicalForm(reference, "pattern", form);
  return matchExpression(inner.map(node.left), pattern);
};
