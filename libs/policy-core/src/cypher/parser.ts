import type { Node, PathPattern, ProjectionItem, Query, RelationshipPattern } from "./ast.ts";
import { diagnosticAt, type Diagnostic } from "./diagnostic.ts";
import { lex } from "./lex/lexer.ts";
import { LexicalFault } from "./lex/literals.ts";
import { itemName } from "./names.ts";
import { readQuery, readSubquery } from "./read/clauses.ts";
import { readExpression } from "./read/expressions.ts";
import { ParserState, ParseError, type Allowed, type HigherRules } from "./read/parser-state.ts";
import { maxRecursionDepth, maxTreeDepth, tooDeep } from "./depth.ts";
import { nodesOf } from "./walk.ts";

/** Refuses what the grammar accepts and the database does not, when a text is stored instead of when it runs. */
const checkTree = (state: ParserState, query: Query): void => {
  const conditions = new Set<Node>();
  for (const node of nodesOf(query)) {
    for (const condition of conditionsOf(node)) conditions.add(condition);
    if (node.kind === "pattern-predicate") {
      if (!conditions.has(node)) {
        state.note(
          "a pattern is a truth value only in WHERE, AND, OR, XOR, NOT and WHEN; write EXISTS { … }",
          node.at,
        );
      }
      checkPredicate(state, node.pattern);
    }
    if (node.kind === "relationship") checkLength(state, node);
    if (node.kind === "with" || node.kind === "return") {
      checkColumns(state, node.items);
      checkSkipAndLimit(state, node.skip, node.limit);
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

const checkPredicate = (state: ParserState, pattern: PathPattern): void => {
  for (const element of pattern.elements) {
    if (element.where !== undefined) {
      state.note("WHERE inside a pattern is not allowed in a condition; write EXISTS { … }", element.at);
    }
  }
};

const checkLength = (state: ParserState, { length, label, at }: RelationshipPattern): void => {
  if (length === undefined || label === undefined) return;
  const parts = label.kind === "label-or" ? label.parts : [label];
  if (parts.some((part) => part.kind !== "label")) {
    state.note('a relationship of variable length takes types joined by "|" only', at);
  }
};

const checkColumns = (state: ParserState, items: readonly ProjectionItem[]): void => {
  const names = new Set<string>();
  for (const item of items) {
    const name = itemName(item);
    if (name === undefined) continue;
    if (names.has(name)) state.note(`column "${name}" appears twice`, item.at);
    names.add(name);
  }
};

/** Constants that SKIP and LIMIT cannot be. */
const notCounts = new Set<Node["kind"]>(["string", "float", "boolean", "null", "list", "map"]);
/** What depends on a row. */
const ofRows = new Set<Node["kind"]>(["variable", "exists", "count", "path"]);

const checkSkipAndLimit = (state: ParserState, ...bounds: readonly (Node | undefined)[]): void => {
  for (const bound of bounds) {
    if (bound === undefined) continue;
    if (notCounts.has(bound.kind) || (bound.kind === "unary" && bound.operator !== "+")) {
      state.note("SKIP and LIMIT take a number from 0 on", bound.at);
    }
    for (const node of nodesOf(bound)) {
      if (!ofRows.has(node.kind)) continue;
      state.note("SKIP and LIMIT must not refer to variables", node.at);
      break;
    }
  }
};

export type { Allowed } from "./read/parser-state.ts";

type Parsed =
  | { readonly ok: true; readonly query: Query }
  | {
      readonly ok: false;
      /** At least one, in the order of the text. */
      readonly faults: readonly Diagnostic[];
      /** The tree where nothing of the text had to be left out: good for finding more faults, never for use. */
      readonly query?: Query;
    };

const rules: HigherRules = { expression: readExpression, subquery: readSubquery };

/**
 * Reads the text of a condition into its tree. Everything that is not known is
 * refused, all faults together. Takes time in proportion to the length; the caller bounds the length. Throws
 * nothing.
 */
export const parse = (text: string, allowed: Allowed): Parsed => {
  try {
    return read(new ParserState(text, lex(text), allowed, rules));
  } catch (error) {
    if (!(error instanceof LexicalFault || error instanceof ParseError)) throw error;
    return { ok: false, faults: [diagnosticAt(text, error.at, error.message)] };
  }
};

const read = (state: ParserState): Parsed => {
  const query = readQuery(state, "top");
  const deep = tooDeep(query);
  if (deep !== undefined) {
    state.note(
      `more than ${maxTreeDepth} nested or ${maxRecursionDepth} joined operators are not allowed`,
      deep.at,
    );
    return { ok: false, faults: state.faults };
  }
  checkTree(state, query);
  const { faults } = state;
  if (faults.length === 0) return { ok: true, query };
  return state.whole ? { ok: false, faults, query } : { ok: false, faults };
};
