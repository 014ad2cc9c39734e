import type { AnalysisReport } from "../bindings/scope.ts";
import type { Expression, Binary } from "../cypher/ast.ts";
import type { Rewriter } from "../cypher/map.ts";
import { maxSubject } from "../regex/java.ts";
import { patternOf } from "../regex/pattern.ts";
import type { DerivedForm } from "../values/reference.ts";
import { formKey, referenceKey, type Reference } from "../values/reference.ts";
import { rowKeys, valuesName } from "../values/row-keys.ts";
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
 * `$__row` of a statement that runs for one request alone. Both hold the same map, `RowValues`.
 */
export type RowSource = "row" | "plain";

export const rowName = "__row";

export const rowExpression = (rowSource: RowSource): Expression =>
  rowSource === "row" ? variable(rowName) : parameter(rowName);

/** A reference in a statement: one flat key, so that a claim that is no object reads as null. */
export const physicalReference = (reference: Reference, rowSource: RowSource): Expression => {
  if (reference.kind === "absent") return nullLiteral;
  const row = rowExpression(rowSource);
  return reference.kind === "application"
    ? property(row, rowKeys.application)
    : property(row, rowKeys[valuesName[reference.kind]], referenceKey(reference));
};

/** The value of a reference in a form, as `bindValues` stores it next to the value itself. */
export const physicalDerivedForm = (
  reference: Reference,
  derivedForm: DerivedForm,
  rowSource: RowSource,
): Expression =>
  property(rowExpression(rowSource), rowKeys[valuesName[reference.kind]], formKey(reference, derivedForm));

const shortText = text(`(?s).{0,${maxSubject}}`);

/**
 * `=~` by the database's matcher, on texts that are not too long for it; anything else is unknown. `pattern` must
 * come from `compilePattern`: the matcher cannot be stopped once it runs.
 */
export const regexExpression = (subject: Expression, pattern: Expression): Expression => {
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
export const rewriteRegex = (
  node: Binary,
  report: AnalysisReport,
  rowSource: RowSource,
  inner: Rewriter,
): Expression | undefined => {
  if (node.operator !== "=~") return undefined;
  const { right } = node;
  const reference = report.references.get(right);
  const pattern =
    reference === undefined
      ? patternLiteral(right.kind === "string" ? right.value : undefined)
      : physicalDerivedForm(reference, "pattern", rowSource);
  return regexExpression(inner.map(node.left), pattern);
};
