import { omitUndefined } from "@ikg/contracts/values";
import type {
  LabelExpression,
  MapEntry,
  MapLiteral,
  NodePattern,
  PathLength,
  PathPattern,
  RelationshipPattern,
} from "../ast.ts";
import type { Token } from "../lex/token.ts";
import { type ParserState, quantifiedPathRefusal, shortestPathRefusal } from "./parser-state.ts";

/** Labels, nodes, relationships and paths. */

/**
 * Distinguishes the pattern `(a)-->(b)` from the subtraction `(a) - (b)` as the database does: by what follows the
 * closing parenthesis. The partners of brackets are known, so that each look-ahead takes constant time.
 */
export const isPatternAt = (state: ParserState, index: number): boolean => {
  const open = state.tokenAt(index);
  return isMark(open, "(") && isNodeInside(state, index) && isRelationshipAt(state, partnerOf(open) + 1);
};

/** Whether `-[…]->(`, `<--(`, `--(` and the like begin at this token. */
const isRelationshipAt = (state: ParserState, index: number): boolean => {
  let at = index;
  if (isMark(state.tokenAt(at), "<")) at += 1;
  if (!isMark(state.tokenAt(at), "-")) return false;
  at += 1;
  const details = state.tokenAt(at);
  if (isMark(details, "[")) {
    if (!isElementInside(state, at, "*")) return false;
    at = partnerOf(details) + 1;
  }
  if (!isMark(state.tokenAt(at), "-")) return false;
  at += 1;
  if (!isMark(state.tokenAt(at), ">")) return isMark(state.tokenAt(at), "(");
  // An arrow head settles it: what follows is a node, or a quantifier that is refused by name.
  return true;
};

const isNodeInside = (state: ParserState, open: number): boolean => isElementInside(state, open, undefined);

/** Whether a bracket begins like a node or, with `*` possible, like the details of a relationship. */
const isElementInside = (state: ParserState, open: number, star: "*" | undefined): boolean => {
  const first = state.tokenAt(open + 1);
  const rest = first.kind === "name" && first.word !== "WHERE" ? state.tokenAt(open + 2) : first;
  if (rest.kind === "name") return rest.word === "WHERE" || rest.word === "IS";
  if (rest.kind !== "mark") return false;
  return ["}", ")", "]", ":", "{", "$"].includes(rest.mark) || rest.mark === star;
};

const isMark = (token: Token, mark: string): boolean => token.kind === "mark" && token.mark === mark;

const partnerOf = (token: Token): number => (token.kind === "mark" ? token.partner : -1);

/** Words after `IS` in a test that are not labels. */
const notLabels = new Set(["NULL", "NOT", "TYPED", "NORMALIZED", "NFC", "NFD", "NFKC", "NFKD"]);

/** Whether a label expression begins here, with `:` or with `IS`. */
export const isLabelStart = (state: ParserState): boolean => {
  if (state.isMark(":")) return !state.isMark(":", 1);
  if (!state.isWord("IS")) return false;
  const next = state.ahead(1);
  if (next.kind === "name") return !notLabels.has(next.word);
  return next.kind === "mark" && ["(", "!", "%", "$"].includes(next.mark);
};

/** The spellings that one expression must not mix. */
interface Spelling {
  colon?: number;
  barColon?: number;
  operator?: number;
}

/** Reads `:A&(B|!C)`, `:A:B`, `IS A`, and for relationships `:A|:B`. */
export const readLabel = (state: ParserState, of: "node" | "relationship"): LabelExpression => {
  const { at } = state.token;
  state.index += 1;
  const spelling: Spelling = {};
  const label = readLabelOr(state, spelling);
  const { colon, barColon, operator } = spelling;
  if (colon !== undefined && of === "relationship") {
    state.refuse('":" does not combine relationship types; write ":A|B"', colon);
  }
  if (barColon !== undefined && of === "node")
    state.refuse('"|:" does not combine labels; write ":A|B"', barColon);
  if ((colon !== undefined || barColon !== undefined) && operator !== undefined) {
    state.refuse('a label expression does not mix ":" with "&", "|", "!", "%" or parentheses', at);
  }
  return label;
};

const readLabelOr = (state: ParserState, spelling: Spelling): LabelExpression => {
  const { at } = state.token;
  const first = readLabelAnd(state, spelling);
  const parts = [first];
  while (state.isMark("|") && !state.comprehensionBars.has(state.index)) {
    const bar = state.token.at;
    state.index += 1;
    if (state.takeMark(":")) spelling.barColon ??= bar;
    parts.push(readLabelAnd(state, spelling));
  }
  if (parts.length === 1) return first;
  // `A|B` of relationship types and `A|:B` are one and the same; only other operators would be a mixture.
  if (spelling.barColon === undefined) spelling.operator ??= at;
  return { kind: "label-or", parts, at };
};

const readLabelAnd = (state: ParserState, spelling: Spelling): LabelExpression => {
  const { at } = state.token;
  const first = readLabelNot(state, spelling);
  const parts = [first];
  for (;;) {
    const mark = state.token.at;
    if (state.takeMark("&")) spelling.operator ??= mark;
    else if (state.isMark(":") && !state.isMark(":", 1)) {
      spelling.colon ??= mark;
      state.index += 1;
    } else break;
    parts.push(readLabelNot(state, spelling));
  }
  return parts.length === 1 ? first : { kind: "label-and", parts, at };
};

const readLabelNot = (state: ParserState, spelling: Spelling): LabelExpression => {
  const marks: number[] = [];
  while (state.isMark("!")) {
    marks.push(state.token.at);
    state.index += 1;
  }
  const first = marks[0];
  if (first !== undefined) spelling.operator ??= first;
  let label = readLabelPrimary(state, spelling);
  for (const at of marks.toReversed()) label = { kind: "label-not", part: label, at };
  return label;
};

const readLabelPrimary = (state: ParserState, spelling: Spelling): LabelExpression => {
  const { token } = state;
  const { at } = token;
  if (token.kind === "name") {
    state.index += 1;
    return { kind: "label", name: token.name, at };
  }
  if (state.takeMark("%")) {
    spelling.operator ??= at;
    return { kind: "label-any", at };
  }
  if (state.takeMark("(")) {
    spelling.operator ??= at;
    const label = readLabelOr(state, spelling);
    state.expectMark(")");
    return label;
  }
  if (state.isMark("$")) state.refuse("dynamic labels are not allowed; write the label itself");
  return state.unexpected();
};

/** Limit of the hops that a text may state. */
export const maxPathLength = 20;

/** Reads `*`, `*n`, `*n..`, `*..m`, `*n..m`. */
const readLength = (state: ParserState): PathLength => {
  state.expectMark("*");
  const min = readBound(state);
  if (!state.takeMark("..")) return min === undefined ? {} : { min, max: min };
  return omitUndefined({ min, max: readBound(state) });
};

const readBound = (state: ParserState): number | undefined => {
  const { token } = state;
  if (token.kind !== "integer") return undefined;
  state.index += 1;
  if (token.value <= BigInt(maxPathLength)) return Number(token.value);
  state.note(`variable length above ${maxPathLength} is not allowed`, token.at);
  return maxPathLength;
};

/** Reads the patterns of a MATCH or of a subquery body, separated by commas. */
export const readPatterns = (state: ParserState): readonly PathPattern[] =>
  state.commaSeparated(() => readNamedPath(state));

const readNamedPath = (state: ParserState): PathPattern => {
  const { token } = state;
  if (token.kind !== "name") return readPath(state);
  if (!state.isMark("=", 1)) return refuseSelector(state);
  state.index += 2;
  if (state.token.kind === "name") return refuseSelector(state);
  return { ...readPath(state), variable: token.name, at: token.at };
};

const refuseSelector = (state: ParserState): never => {
  const { token } = state;
  if (token.kind === "name") {
    const call = state.isMark("(", 1) && ["SHORTESTPATH", "ALLSHORTESTPATHS"].includes(token.word);
    if (call || ["ANY", "ALL", "SHORTEST"].includes(token.word)) return state.refuse(shortestPathRefusal);
  }
  return state.unexpected();
};

/** Reads node, relationship, node, … without a name of the path. */
export const readPath = (state: ParserState): PathPattern => {
  const { at } = state.token;
  const elements: (NodePattern | RelationshipPattern)[] = [readNode(state)];
  while (isRelationshipAt(state, state.index)) {
    elements.push(readRelationship(state));
    if (state.isMark("+") || state.isMark("*") || state.isMark("{")) state.refuse(quantifiedPathRefusal);
    elements.push(readNode(state));
  }
  return { kind: "path", elements, at };
};

const readNode = (state: ParserState): NodePattern => {
  const { at } = state.expectMark("(");
  // A parenthesis inside begins a quantified group, `((a)-->(b)){1,3}`.
  const named = state.token.kind === "name" && state.isMark("=", 1);
  if (state.isMark("(") || named) state.refuse(quantifiedPathRefusal, at);
  const variable = readVariable(state);
  const label = isLabelStart(state) ? readLabel(state, "node") : undefined;
  const properties = readProperties(state);
  const where = state.where();
  state.expectMark(")");
  return { kind: "node", ...omitUndefined({ variable, label, properties, where }), at };
};

const readRelationship = (state: ParserState): RelationshipPattern => {
  const { at } = state.token;
  const left = state.takeMark("<");
  state.expectMark("-");
  const details = state.takeMark("[") ? readDetails(state) : {};
  state.expectMark("-");
  const right = state.takeMark(">");
  const direction = left === right ? "both" : left ? "in" : "out";
  return { kind: "relationship", direction, ...details, at };
};

type Details = Omit<RelationshipPattern, "kind" | "direction" | "at">;

const readDetails = (state: ParserState): Details => {
  const variable = readVariable(state);
  const label = isLabelStart(state) ? readLabel(state, "relationship") : undefined;
  const length = state.isMark("*") ? readLength(state) : undefined;
  const properties = readProperties(state);
  const whereAt = state.token.at;
  const where = state.where();
  if (where !== undefined && length !== undefined) {
    state.note(
      "WHERE inside a relationship of variable length is not allowed; use all(r IN rels WHERE …)",
      whereAt,
    );
  }
  state.expectMark("]");
  return omitUndefined({ variable, label, length, properties, where });
};

/** The keyword wins over a variable called `where`, except where nothing that is a condition follows. */
const readVariable = (state: ParserState): string | undefined => {
  const { token } = state;
  if (token.kind !== "name") return undefined;
  if (token.word === "IS" && isLabelStart(state) && !state.isWord("IS", 1)) return undefined;
  if (token.word === "WHERE" && !isNamedWhere(state)) return undefined;
  state.index += 1;
  return token.name;
};

const isNamedWhere = (state: ParserState): boolean =>
  state.isMark(")", 1) || state.isMark("]", 1) || state.isMark(":", 1) || state.isWord("WHERE", 1);

const readProperties = (state: ParserState): NodePattern["properties"] => {
  if (state.isMark("$"))
    state.refuse("a parameter cannot be the property map of a pattern; write {key: value}");
  return state.isMark("{") ? readMap(state) : undefined;
};

/** Reads `{key: value, …}`. */
export const readMap = (state: ParserState): MapLiteral => {
  const { at } = state.expectMark("{");
  const entries = state.isMark("}") ? [] : state.commaSeparated(() => readEntry(state));
  state.expectMark("}");
  return { kind: "map", entries, at };
};

const readEntry = (state: ParserState): MapEntry => {
  const key = state.expectName();
  state.expectMark(":");
  return { kind: "entry", key: key.name, value: state.rules.expression(state), at: key.at };
};
