import { printLabel, printName, printVariable } from "./names.ts";
import type {
  Expression,
  MapLiteral,
  NodePattern,
  PathLength,
  PathPattern,
  RelationshipPattern,
} from "../ast.ts";

/** How an expression is printed; passed in because expressions hold patterns too. */
export type PrintExpression = (expression: Expression) => string;

export const patternText = (pattern: PathPattern, print: PrintExpression): string => {
  const name = pattern.variable === undefined ? "" : `${printVariable(pattern.variable)} = `;
  return name + pattern.elements.map((element) => elementText(element, print)).join("");
};

const elementText = (element: NodePattern | RelationshipPattern, print: PrintExpression): string =>
  element.kind === "node" ? `(${detailsText(element, "", print)})` : relationshipText(element, print);

const relationshipText = (relationship: RelationshipPattern, print: PrintExpression): string => {
  const details = detailsText(relationship, lengthText(relationship.length), print);
  const brackets = details === "" ? "" : `[${details}]`;
  const left = relationship.direction === "in" ? "<-" : "-";
  return `${left}${brackets}${relationship.direction === "out" ? "->" : "-"}`;
};

const detailsText = (
  element: NodePattern | RelationshipPattern,
  length: string,
  print: PrintExpression,
): string => {
  const name = element.variable === undefined ? "" : printVariable(element.variable);
  const label = element.label === undefined ? "" : `:${printLabel(element.label)}`;
  const parts = [`${name}${label}${length}`];
  if (element.properties !== undefined) parts.push(mapText(element.properties, print));
  if (element.where !== undefined) parts.push(`WHERE ${print(element.where)}`);
  return parts.filter((part) => part !== "").join(" ");
};

const lengthText = (length: PathLength | undefined): string => {
  if (length === undefined) return "";
  const { min, max } = length;
  if (min === undefined && max === undefined) return "*";
  return min === max ? `*${min}` : `*${min ?? ""}..${max ?? ""}`;
};

export const mapText = (map: MapLiteral, print: PrintExpression): string =>
  `{${map.entries.map(({ key, value }) => `${printName(key)}: ${print(value)}`).join(", ")}}`;
