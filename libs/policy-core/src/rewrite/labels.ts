import { nodeLabel, projectLabel, typeLabel, type ProjectKey } from "@ikg/physical";
import type { LabelExpression } from "../cypher/ast.ts";
import { noPosition } from "./build.ts";

const label = (name: string): LabelExpression => ({ kind: "label", name, at: noPosition });

/** The author's label expression with the labels as they are stored in the project. */
export const physicalLabel = (expression: LabelExpression, pk: ProjectKey): LabelExpression => {
  switch (expression.kind) {
    case "label":
      return { ...expression, name: typeLabel(expression.name, pk) };
    case "label-and":
    case "label-or":
      return { ...expression, parts: expression.parts.map((part) => physicalLabel(part, pk)) };
    case "label-not":
      return { ...expression, part: physicalLabel(expression.part, pk) };
    case "label-any":
      return label(projectLabel(pk));
  }
};

/** True when every node that fits the expression carries a label of the project. */
const isGuarded = (expression: LabelExpression): boolean => {
  switch (expression.kind) {
    case "label":
    case "label-any":
      return true;
    case "label-and":
      return expression.parts.some(isGuarded);
    case "label-or":
      return expression.parts.every(isGuarded);
    case "label-not":
      return false;
  }
};

const both = (left: LabelExpression, right: LabelExpression): LabelExpression => ({
  kind: "label-and",
  parts: [left, right],
  at: noPosition,
});

/** The label of a node pattern that nothing else keeps inside the project. */
export const guardedLabel = (expression: LabelExpression | undefined, pk: ProjectKey): LabelExpression => {
  if (expression === undefined) return label(projectLabel(pk));
  const physical = physicalLabel(expression, pk);
  return isGuarded(expression) ? physical : both(physical, label(projectLabel(pk)));
};

/** Adds the label that carries the unique key. */
export const withKeyLabel = (expression: LabelExpression): LabelExpression =>
  both(expression, label(nodeLabel));

/** The label of a type, for generated patterns. */
export const ofType = (type: string, pk: ProjectKey): LabelExpression => label(typeLabel(type, pk));
