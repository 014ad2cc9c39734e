import type { SemanticInfo } from "../bindings/scope.ts";
import type { Expression, Binary } from "../cypher/ast.ts";
import type { Rewriter } from "../cypher/map.ts";
import { maxSubject } from "../regex/java.ts";
import { patternOf } from "../regex/pattern.ts";
import type { DerivedForm } from "../values/reference.ts";
import { formKey, referenceKey, type Reference } from "../values/reference.ts";
import {
  nullLiteral,
  parameter,
  property,
  variable,
  isCheapToRepeat,
  letExpression,
  operate,
  text,
  when,
} from "./build.ts";

/**
 * Where a statement finds the values of one request: a row of `UNWIND $rows AS __row`, or the parameter
 * `$__row` of a statement that runs for one request alone. Both hold the same map, `BoundValues`.
 */
export type ValueForm = "row" | "plain";

export const rowName = "__row";

export const rowOf = (form: ValueForm): Expression =>
  form === "row" ? variable(rowName) : parameter(rowName);

/** A reference as it stands in a statement: one flat key, so that a claim that is no object reads as null. */
export const physicalReference = (reference: Reference, form: ValueForm): Expression => {
  const row = rowOf(form);
  const key = referenceKey(reference);
  switch (reference.kind) {
    case "parameter":
      return property(row, "p", key);
    case "token":
      return property(row, "t", key);
    case "request":
      return property(row, "q", key);
    case "platform":
      return property(row, "f", key);
    case "application":
      return property(row, "a");
    case "absent":
      return nullLiteral;
  }
};

const mapNames = {
  parameter: "p",
  token: "t",
  request: "q",
  platform: "f",
  application: "f",
  absent: "f",
} as const;

/** The value of a reference in a form, as `bindValues` puts it beside the value itself. */
export const physicalForm = (reference: Reference, kind: DerivedForm, form: ValueForm): Expression =>
  property(rowOf(form), mapNames[reference.kind], formKey(reference, kind));

const shortText = text(`(?s).{0,${maxSubject}}`);

/**
 * `=~` by the database's matcher, on texts that are not too long for it; anything else is unknown. `pattern` must
 * come from `compilePattern`: the matcher cannot be stopped once it runs.
 */
export const matchExpression = (subject: Expression, pattern: Expression): Expression => {
  const match = (each: Expression): Expression =>
    when(operate(each, "=~", shortText), operate(each, "=~", pattern));
  return isCheapToRepeat(subject) ? match(subject) : letExpression("__subject", subject, match);
};

/** A pattern of an author's for the database. */
export const patternLiteral = (pattern: unknown): Expression => {
  const java = patternOf(pattern)?.java;
  return java === undefined ? nullLiteral : text(java);
};

/** `=~` of an author's text; undefined for other operators. */
export const rewriteMatch = (
  node: Binary,
  report: SemanticInfo,
  form: ValueForm,
  inner: Rewriter,
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
