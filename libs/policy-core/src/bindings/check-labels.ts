/** Which labels and types a pattern may name. */
import { systemRelationships } from "@ikg/physical";
import type { LabelExpression } from "../cypher/ast.ts";
import { isNodeType } from "./kind.ts";
import type { AnalysisReport } from "./scope.ts";

type LabelName = Extract<LabelExpression, { kind: "label" }>;

/** Checks each name of a label or type expression, in the order of the text. */
const checkNames = (label: LabelExpression, check: (name: LabelName) => void): void => {
  switch (label.kind) {
    case "label":
      check(label);
      return;
    case "label-and":
    case "label-or":
      for (const part of label.parts) checkNames(part, check);
      return;
    case "label-not":
      checkNames(label.part, check);
      return;
    case "label-any":
  }
};

/** Checks the labels that a node pattern or label test names: node types of callers, or readable system types. */
export const checkLabels = (label: LabelExpression, report: AnalysisReport): void =>
  checkNames(label, ({ name, at }) => {
    if (name === "Property")
      report.fault(at, "properties are not nodes here: write x.property.<name> instead of a :Property node");
    else if (!isNodeType(name)) report.fault(at, `"${name.slice(0, 64)}" is not a node type`);
  });

const readableTypes: ReadonlySet<string> = new Set(Object.values(systemRelationships));

/** Checks the types that a relationship pattern names. */
export const checkTypes = (label: LabelExpression, report: AnalysisReport): void =>
  checkNames(label, ({ name, at }) => {
    if (name.length > 128 || (name.startsWith("_") && !readableTypes.has(name)))
      report.fault(at, `"${name.slice(0, 64)}" is not a relationship type`);
  });
