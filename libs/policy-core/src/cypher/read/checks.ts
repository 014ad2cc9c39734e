import { nodesOf } from "../walk.ts";
import type { Node, PathPattern, ProjectionItem, Query, RelationshipPattern } from "../ast.ts";
import type { Reader } from "./reader.ts";

/** What reads well and the database refuses all the same; better said when a text is stored than when it runs. */
export const checkTree = (reader: Reader, query: Query): void => {
  const conditions = new Set<Node>();
  for (const node of nodesOf(query)) {
    for (const condition of conditionsOf(node)) conditions.add(condition);
    if (node.kind === "pattern-predicate") {
      if (!conditions.has(node)) {
        reader.note(
          "a pattern is a truth value only in WHERE, AND, OR, XOR, NOT and WHEN; write EXISTS { … }",
          node.at,
        );
      }
      checkPredicate(reader, node.pattern);
    }
    if (node.kind === "relationship") checkLength(reader, node);
    if (node.kind === "with" || node.kind === "return") {
      checkColumns(reader, node.items);
      checkBounds(reader, node.skip, node.limit);
    }
  }
};

/** Places where a pattern may stand for its existence. */
const conditionsOf = (node: Node): readonly Node[] => {
  switch (node.kind) {
    case "match":
    case "with":
    case "pattern-body":
    case "node":
    case "relationship":
    case "list-comprehension":
    case "pattern-comprehension":
    case "quantifier":
      return node.where === undefined ? [] : [node.where];
    case "unary":
      return node.operator === "NOT" ? [node.operand] : [];
    case "binary":
      return ["OR", "XOR", "AND"].includes(node.operator) ? [node.left, node.right] : [];
    case "case":
      return node.subject === undefined ? node.alternatives.flatMap((alternative) => alternative.when) : [];
    default:
      return [];
  }
};

const checkPredicate = (reader: Reader, pattern: PathPattern): void => {
  for (const element of pattern.elements) {
    if (element.where !== undefined) {
      reader.note("WHERE inside a pattern is not allowed in a condition; write EXISTS { … }", element.at);
    }
  }
};

const checkLength = (reader: Reader, { length, label, at }: RelationshipPattern): void => {
  if (length === undefined || label === undefined) return;
  const parts = label.kind === "label-or" ? label.parts : [label];
  if (parts.some((part) => part.kind !== "label")) {
    reader.note('a relationship of variable length takes types joined by "|" only', at);
  }
};

const checkColumns = (reader: Reader, items: readonly ProjectionItem[]): void => {
  const names = new Set<string>();
  for (const { alias, expression, at } of items) {
    const name = alias ?? (expression.kind === "variable" ? expression.name : undefined);
    if (name === undefined) continue;
    if (names.has(name)) reader.note(`column "${name}" appears twice`, at);
    names.add(name);
  }
};

/** Constants that SKIP and LIMIT cannot be. */
const notCounts = new Set<Node["kind"]>(["string", "float", "boolean", "null", "list", "map"]);
/** What depends on a row. */
const ofRows = new Set<Node["kind"]>(["variable", "exists", "count", "path"]);

const checkBounds = (reader: Reader, ...bounds: readonly (Node | undefined)[]): void => {
  for (const bound of bounds) {
    if (bound === undefined) continue;
    if (notCounts.has(bound.kind) || (bound.kind === "unary" && bound.operator !== "+")) {
      reader.note("SKIP and LIMIT take a number from 0 on", bound.at);
    }
    for (const node of nodesOf(bound)) {
      if (!ofRows.has(node.kind)) continue;
      reader.note("SKIP and LIMIT must not refer to variables", node.at);
      break;
    }
  }
};
