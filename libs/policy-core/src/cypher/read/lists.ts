import type {
  MapEntry,
  MapLiteral,
  Expression,
  ListLiteral,
  PathPattern,
  PatternComprehension,
  Quantifier,
} from "../ast.ts";
import type { Token } from "../lex/token.ts";
import { omitUndefined } from "../walk.ts";
import type { ParserState } from "./parser-state.ts";

/**
 * Tells `(a)-->(b)` the pattern from `(a) - (b)` the arithmetic, as the database does: by what
 * follows the closing parenthesis. Partners of brackets are known, so each answer costs the same.
 */
export const isPatternAt = (state: ParserState, index: number): boolean => {
  const open = state.tokenAt(index);
  return isMark(open, "(") && isNodeInside(state, index) && isRelationshipAt(state, partnerOf(open) + 1);
};

/** Whether `-[…]->(`, `<--(`, `--(` and the like begin at this token. */
export const isRelationshipAt = (state: ParserState, index: number): boolean => {
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

/** Reads `{key: value, …}`. */
export const readMap = (state: ParserState): MapLiteral => {
  const { at } = state.expectMark("{");
  const entries: MapEntry[] = [];
  if (!state.isMark("}")) {
    do {
      const key = state.expectName();
      state.expectMark(":");
      entries.push({ kind: "entry", key: key.name, value: state.rules.expression(state), at: key.at });
    } while (state.takeMark(","));
  }
  state.expectMark("}");
  return { kind: "map", entries, at };
};

/** Reads what `[` begins where an operand stands: a list comprehension, a pattern comprehension or a list. */
export const readBracketed = (state: ParserState): Expression => {
  const { comma, bars, where } = separators(state);
  if (!comma && state.ahead(1).kind === "name" && state.isWord("IN", 2))
    return readListComprehension(state, bars, where);
  if (!comma && bars.length > 0) {
    const named = state.ahead(1).kind === "name" && state.isMark("=", 2);
    if (isPatternAt(state, state.index + (named ? 3 : 1)))
      return readPatternComprehension(state, bars, named);
  }
  return readList(state);
};

/** What a bracket itself holds. */
interface Separators {
  readonly comma: boolean;
  readonly bars: readonly number[];
  /** Index of its WHERE. */
  readonly where: number | undefined;
}

/**
 * The commas, bars and WHERE of a bracket itself; what is in brackets or in a CASE inside it is left out. Each token
 * belongs to one bracket only, so all these looks together cost no more than one reading of the text.
 */
const separators = (state: ParserState): Separators => {
  const open = state.token;
  const end = open.kind === "mark" ? open.partner : state.index;
  const bars: number[] = [];
  let comma = false;
  let where: number | undefined;
  let cases = 0;
  for (let index = state.index + 1; index < end; index += 1) {
    const token = state.tokenAt(index);
    if (token.kind === "name") {
      cases = Math.max(0, cases + caseStep(state, index, token.word));
      if (where === undefined && cases === 0 && isWhere(state, index)) where = index;
    } else if (token.kind === "mark") {
      if (token.partner > index) index = token.partner;
      else if (cases === 0 && token.mark === ",") comma = true;
      else if (cases === 0 && token.mark === "|") bars.push(index);
    }
  }
  return { comma, bars, where };
};

/** The keyword, and not a key, a label, a parameter or, after IN, a variable of that name. */
const isWhere = (state: ParserState, index: number): boolean => {
  const token = state.tokenAt(index);
  const before = state.tokenAt(index - 1);
  if (token.kind !== "name" || token.word !== "WHERE") return false;
  return before.kind === "mark" ? [")", "]", "}", "%"].includes(before.mark) : !isIn(before);
};

const isIn = (token: Token): boolean => token.kind === "name" && token.word === "IN";

/** 1 where a CASE begins, -1 where one ends; keys, labels and parameters of these names are none. */
const caseStep = (state: ParserState, index: number, word: string): number => {
  if (word !== "CASE" && word !== "END") return 0;
  const before = state.tokenAt(index - 1);
  if (before.kind === "mark" && [".", ":", "&", "!", "$"].includes(before.mark)) return 0;
  return word === "CASE" ? 1 : -1;
};

const readListComprehension = (
  state: ParserState,
  bars: readonly number[],
  whereAt: number | undefined,
): Expression => {
  const { at } = state.expectMark("[");
  const variable = state.expectName().name;
  state.expectWord("IN");
  // Without a WHERE the first bar begins the result, behind one the last: `[n IN l WHERE n:A|B | n.x]`.
  const first = whereAt === undefined ? bars[0] : undefined;
  const last = bars.at(-1);
  if (first !== undefined) state.comprehensionBars.add(first);
  const list = state.rules.expression(state);
  if (first !== undefined) state.comprehensionBars.delete(first);
  if (last !== undefined) state.comprehensionBars.add(last);
  const where = state.takeWord("WHERE") ? state.perElement() : undefined;
  if (last !== undefined) state.comprehensionBars.delete(last);
  const result = state.takeMark("|") ? state.perElement() : undefined;
  state.expectMark("]");
  return { kind: "list-comprehension", variable, list, ...omitUndefined({ where, result }), at };
};

const readPatternComprehension = (
  state: ParserState,
  bars: readonly number[],
  named: boolean,
): PatternComprehension => {
  const { at } = state.expectMark("[");
  const variable = state.token;
  if (named) state.index += 2;
  const path = state.rules.path(state);
  const pattern: PathPattern =
    named && variable.kind === "name" ? { ...path, variable: variable.name, at: variable.at } : path;
  const last = bars.at(-1);
  if (last !== undefined) state.comprehensionBars.add(last);
  const where = state.takeWord("WHERE") ? state.perElement() : undefined;
  if (last !== undefined) state.comprehensionBars.delete(last);
  state.expectMark("|");
  const result = state.perElement();
  state.expectMark("]");
  return { kind: "pattern-comprehension", pattern, ...omitUndefined({ where }), result, at };
};

const readList = (state: ParserState): ListLiteral => {
  const { at } = state.expectMark("[");
  const items: Expression[] = [];
  if (!state.isMark("]")) {
    do {
      items.push(state.rules.expression(state));
    } while (state.takeMark(","));
  }
  state.expectMark("]");
  return { kind: "list", items, at };
};

const quantifiers = new Map<string, Quantifier["quantifier"]>([
  ["ALL", "all"],
  ["ANY", "any"],
  ["NONE", "none"],
  ["SINGLE", "single"],
]);

/** Whether `all(x IN …`, its kin or `reduce(…` begin here: functions with a syntax of their own. */
export const isFoldAt = (state: ParserState): boolean => {
  const { token } = state;
  if (token.kind !== "name" || !state.isMark("(", 1)) return false;
  return token.word === "REDUCE" || quantifiers.has(token.word);
};

/** Reads `all(x IN list WHERE p)` and `reduce(a = 0, x IN list | a + x)`. */
export const readFold = (state: ParserState): Expression => {
  const { name, word, at } = state.expectName();
  state.expectMark("(");
  const quantifier = quantifiers.get(word);
  const fold = quantifier === undefined ? readReduce(state, at) : readQuantifier(state, quantifier, name, at);
  state.expectMark(")");
  return fold;
};

const readQuantifier = (
  state: ParserState,
  quantifier: Quantifier["quantifier"],
  name: string,
  at: number,
): Expression => {
  const variable = state.expectName().name;
  state.expectWord("IN");
  const list = state.rules.expression(state);
  if (!state.takeWord("WHERE")) state.refuse(`${name}(…) needs WHERE`);
  return { kind: "quantifier", quantifier, variable, list, where: state.perElement(), at };
};

const readReduce = (state: ParserState, at: number): Expression => {
  const accumulator = state.expectName().name;
  state.expectMark("=");
  const initial = state.rules.expression(state);
  state.expectMark(",");
  const variable = state.expectName().name;
  state.expectWord("IN");
  const list = state.rules.expression(state);
  state.expectMark("|");
  const result = state.perElement();
  return { kind: "reduce", accumulator, initial, variable, list, result, at };
};
