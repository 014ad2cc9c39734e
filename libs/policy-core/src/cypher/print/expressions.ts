import { bodyText } from "./clauses.ts";
import { continuesChain } from "../walk.ts";
import { mapText, patternText } from "./patterns.ts";
import { printFloat, printString, printLabel, printName, printVariable } from "./names.ts";
import type {
  Binary,
  Case,
  Expression,
  ListComprehension,
  PatternComprehension,
  Quantifier,
  Reduce,
  Slice,
} from "../ast.ts";

/** Every operator in parentheses of its own, so that no precedence decides about the meaning. */
export const expressionText = (node: Expression): string => {
  switch (node.kind) {
    case "string":
      return printString(node.value);
    case "integer":
      return String(node.value);
    case "float":
      return printFloat(node.value);
    case "boolean":
      return String(node.value);
    case "null":
      return "null";
    case "list":
      return `[${node.items.map(expressionText).join(", ")}]`;
    case "map":
      return mapText(node, expressionText);
    case "parameter":
      return `$${printName(node.name)}`;
    case "variable":
      return printVariable(node.name);
    case "property":
      return `${targetText(node.target)}.${printName(node.key)}`;
    case "index":
      return `${targetText(node.target)}[${expressionText(node.index)}]`;
    case "slice":
      return sliceText(node);
    case "unary":
      return `(${node.operator === "NOT" ? "NOT " : node.operator}${expressionText(node.operand)})`;
    case "binary":
      return binaryText(node);
    case "comparison": {
      const steps = node.rest.map(({ operator, operand }) => ` ${operator} ${expressionText(operand)}`);
      return `(${expressionText(node.first)}${steps.join("")})`;
    }
    case "is-null":
      return `(${expressionText(node.operand)} IS ${node.negated ? "NOT NULL" : "NULL"})`;
    case "label-test":
      return `(${targetText(node.target)}:${printLabel(node.label)})`;
    case "function": {
      const args = node.star ? "*" : node.args.map(expressionText).join(", ");
      return `${node.name.split(".").map(printName).join(".")}(${node.distinct ? "DISTINCT " : ""}${args})`;
    }
    case "case":
      return caseText(node);
    case "list-comprehension":
      return listComprehensionText(node);
    case "pattern-comprehension":
      return patternComprehensionText(node);
    case "quantifier":
      return quantifierText(node);
    case "reduce":
      return reduceText(node);
    case "exists":
      return `EXISTS { ${bodyText(node.body, expressionText)} }`;
    case "count":
      return `COUNT { ${bodyText(node.body, expressionText)} }`;
    case "pattern-predicate":
      return patternText(node.pattern, expressionText);
  }
};

/** Kinds to which `.key`, `[i]` and `:Label` can be added as they are. */
const closed = new Set<Expression["kind"]>([
  ...(["variable", "parameter", "property", "index", "slice", "function", "list", "map"] as const),
  ...(["unary", "binary", "comparison", "is-null", "label-test"] as const),
]);

const targetText = (target: Expression): string =>
  closed.has(target.kind) ? expressionText(target) : `(${expressionText(target)})`;

/** A chain of one truth operator is printed flat: the database takes very deep parentheses badly. */
const binaryText = (node: Binary): string => {
  const operands: Expression[] = [];
  let left: Expression = node;
  for (let step: Binary = node; ;) {
    operands.push(step.right);
    left = step.left;
    if (left.kind !== "binary" || !continuesChain(step, left)) break;
    step = left;
  }
  operands.push(left);
  return `(${operands.toReversed().map(expressionText).join(` ${node.operator} `)})`;
};

const sliceText = ({ target, from, to }: Slice): string =>
  `${targetText(target)}[${from === undefined ? "" : expressionText(from)}..${to === undefined ? "" : expressionText(to)}]`;

const caseText = ({ subject, alternatives, otherwise }: Case): string => {
  const parts = ["CASE"];
  if (subject !== undefined) parts.push(expressionText(subject));
  for (const { when, then } of alternatives) {
    parts.push(`WHEN ${when.map(expressionText).join(", ")} THEN ${expressionText(then)}`);
  }
  if (otherwise !== undefined) parts.push(`ELSE ${expressionText(otherwise)}`);
  return [...parts, "END"].join(" ");
};

const listComprehensionText = ({ variable, list, where, result }: ListComprehension): string => {
  const filter = where === undefined ? "" : ` WHERE ${expressionText(where)}`;
  const mapped = result === undefined ? "" : ` | ${expressionText(result)}`;
  return `[${printVariable(variable)} IN ${expressionText(list)}${filter}${mapped}]`;
};

const patternComprehensionText = ({ pattern, where, result }: PatternComprehension): string => {
  const filter = where === undefined ? "" : ` WHERE ${expressionText(where)}`;
  return `[${patternText(pattern, expressionText)}${filter} | ${expressionText(result)}]`;
};

const quantifierText = ({ quantifier, variable, list, where }: Quantifier): string =>
  `${quantifier}(${printVariable(variable)} IN ${expressionText(list)} WHERE ${expressionText(where)})`;

const reduceText = ({ accumulator, initial, variable, list, result }: Reduce): string => {
  const begin = `${printVariable(accumulator)} = ${expressionText(initial)}`;
  return `reduce(${begin}, ${printVariable(variable)} IN ${expressionText(list)} | ${expressionText(result)})`;
};
