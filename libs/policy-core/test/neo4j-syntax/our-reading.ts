import { parse } from "../../src/cypher/parser.ts";
import type {
  Case,
  Expression,
  LabelExpression,
  NodePattern,
  RelationshipPattern,
} from "../../src/cypher/ast.ts";

const list = (items: readonly Expression[]): string => items.map(show).join(",");

const labels = (label: LabelExpression): string => {
  switch (label.kind) {
    case "label":
      return label.name;
    case "label-any":
      return "%";
    case "label-not":
      return `(!${labels(label.part)})`;
    case "label-and":
      return `(${label.parts.map(labels).join("&")})`;
    case "label-or":
      return `(${label.parts.map(labels).join("|")})`;
  }
};

const caseText = ({ subject, alternatives, otherwise }: Case): string => {
  const when = alternatives.map((each) => ` WHEN ${list(each.when)} THEN ${show(each.then)}`);
  const last = otherwise === undefined ? "" : ` ELSE ${show(otherwise)}`;
  return `CASE${subject === undefined ? "" : ` ${show(subject)}`}${when.join("")}${last} END`;
};

const elementText = (element: NodePattern | RelationshipPattern): string => {
  if (element.kind === "node") return `(${element.variable ?? ""})`;
  const { direction, variable } = element;
  return `${direction === "in" ? "<" : ""}-${variable === undefined ? "" : `[${variable}]`}-${direction === "out" ? ">" : ""}`;
};

/** Our tree in the form of the vendor's reading. Not the printer of the statements, which is what is tried. */
const show = (node: Expression): string => {
  switch (node.kind) {
    case "string":
      return `'${node.value}'`;
    case "integer":
    case "float":
      return String(node.value);
    case "boolean":
      return String(node.value);
    case "null":
      return "null";
    case "variable":
      return node.name;
    case "parameter":
      return `$${node.name}`;
    case "list":
      return `[${list(node.items)}]`;
    case "map":
      return `{${node.entries.map(({ key, value }) => `${key}:${show(value)}`).join(",")}}`;
    case "property":
      return `(${show(node.target)}.${node.key})`;
    case "index":
      return `(${show(node.target)}[${show(node.index)}])`;
    case "slice":
      return `(${show(node.target)}[${node.from ? show(node.from) : ""}..${node.to ? show(node.to) : ""}])`;
    case "unary":
      return `(${node.operator}${node.operator === "NOT" ? " " : ""}${show(node.operand)})`;
    case "binary":
      return `(${show(node.left)} ${node.operator} ${show(node.right)})`;
    case "comparison":
      return `(${show(node.first)}${node.rest.map((step) => ` ${step.operator} ${show(step.operand)}`).join("")})`;
    case "is-null":
      return `(${show(node.operand)} IS ${node.negated ? "NOT " : ""}NULL)`;
    case "label-test":
      return `(${show(node.target)}:${labels(node.label)})`;
    case "function":
      return `${node.name}(${node.star ? "*" : list(node.args)})`;
    case "case":
      return caseText(node);
    case "list-comprehension": {
      const where = node.where === undefined ? "" : ` WHERE ${show(node.where)}`;
      return `[${node.variable} IN ${show(node.list)}${where}${node.result === undefined ? "" : `|${show(node.result)}`}]`;
    }
    case "quantifier":
      return `${node.quantifier}(${node.variable} IN ${show(node.list)} WHERE ${show(node.where)})`;
    case "reduce":
      return `reduce(${node.accumulator}=${show(node.initial)},${node.variable} IN ${show(node.list)}|${show(node.result)})`;
    case "pattern-predicate":
      return node.pattern.elements.map(elementText).join("");
    case "exists":
    case "count":
    case "pattern-comprehension":
      throw new Error(`${node.kind} has no operators of its own`);
  }
};

/** How our parser reads an expression; undefined when it does not. What it only finds wrong with the tree is left. */
export const ourReading = (expression: string): string | undefined => {
  const parsed = parse(`UNWIND ${expression} AS r`, { use: true, call: true });
  const clause = parsed.query?.clauses[0];
  return clause?.kind === "unwind" ? show(clause.expression) : undefined;
};
