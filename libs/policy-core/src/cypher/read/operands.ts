import { omitUndefined } from "@ikg/contracts/values";
import type {
  Case,
  CaseAlternative,
  Expression,
  FunctionCall,
  ListLiteral,
  Node,
  PathPattern,
  PatternComprehension,
  Quantifier,
} from "../ast.ts";
import { functions, holdsAggregate, type Signature } from "../functions.ts";
import { maxNesting } from "../lex/lexer.ts";
import type { NameToken, Token } from "../lex/token.ts";
import { startsAfterWhen } from "../operators.ts";
import { childrenOf } from "../walk.ts";
import { type ParserState, shortestPathRefusal } from "./parser-state.ts";
import { isPatternAt, readMap, readPath } from "./patterns.ts";

/** Reads one operand, without the postfix operators that may follow it. */
export const readOperand = (state: ParserState): Expression => {
  const { token } = state;
  const { at } = token;
  switch (token.kind) {
    case "string":
      state.index += 1;
      return { kind: "string", value: token.value, at };
    case "integer":
      state.index += 1;
      return { kind: "integer", value: token.value, at };
    case "float":
      state.index += 1;
      return { kind: "float", value: token.value, at };
    case "name":
      return readNamed(state, token);
    case "mark":
      return readMarked(state, token.mark);
    case "end":
      return state.unexpected();
  }
};

const readMarked = (state: ParserState, mark: string): Expression => {
  switch (mark) {
    case "(":
      return readParenthesis(state);
    case "[":
      return readBracketed(state);
    case "{":
      return readMap(state);
    case "$":
      return readParameter(state);
    default:
      return state.unexpected();
  }
};

const readParenthesis = (state: ParserState): Expression => {
  const { at } = state.token;
  if (isPatternAt(state, state.index)) return { kind: "pattern-predicate", pattern: readPath(state), at };
  state.expectMark("(");
  const inner = state.rules.expression(state);
  state.expectMark(")");
  return inner;
};

const readParameter = (state: ParserState): Expression => {
  const { at } = state.expectMark("$");
  const { token } = state;
  if (token.kind !== "name" && token.kind !== "integer") return state.unexpected();
  state.index += 1;
  return { kind: "parameter", name: token.kind === "name" ? token.name : String(token.value), at };
};

/** Words that are never a variable where an operand stands, unless in back-quotes. */
const notOperands = new Set(["NOT", "INF", "INFINITY", "NAN"]);

const readNamed = (state: ParserState, token: NameToken): Expression => {
  const { at, word } = token;
  if (notOperands.has(word)) return state.unexpected();
  if (word === "TRUE" || word === "FALSE" || word === "NULL") {
    state.index += 1;
    return word === "NULL" ? { kind: "null", at } : { kind: "boolean", value: word === "TRUE", at };
  }
  if (isCaseAt(state)) return readCase(state);
  if (state.isMark("{", 1)) return readBraced(state, token);
  if (isListFunctionAt(state)) return readListFunction(state);
  if (isFunctionAt(state)) return readFunction(state);
  state.index += 1;
  return { kind: "variable", name: token.name, at };
};

const readBraced = (state: ParserState, { word, at }: NameToken): Expression => {
  if (word === "COLLECT") {
    return state.refuse("COLLECT { } is not allowed; write collect() in a WITH, or a pattern comprehension");
  }
  if (word !== "EXISTS" && word !== "COUNT")
    return state.refuse("map projections are not allowed; write single keys");
  state.index += 2;
  const body = state.rules.subquery(state, word);
  state.expectMark("}");
  return word === "EXISTS" ? { kind: "exists", body, at } : { kind: "count", body, at };
};

/** Whether the word CASE here begins a CASE and is not a variable of that name. */
const isCaseAt = (state: ParserState): boolean => {
  if (!state.isWord("CASE")) return false;
  const next = state.ahead(1);
  return next.kind === "mark" ? ["(", "[", "{", "$", "-", "+"].includes(next.mark) : next.kind !== "end";
};

/** Reads `CASE WHEN c THEN r … END` and `CASE s WHEN v, w THEN r … END`. */
const readCase = (state: ParserState): Case => {
  const { at } = state.expectWord("CASE");
  if (state.cases === maxNesting) state.refuse(`nesting deeper than ${maxNesting} levels is not allowed`, at);
  state.cases += 1;
  const subject = state.isWord("WHEN") ? undefined : state.rules.expression(state);
  const alternatives: CaseAlternative[] = [];
  do {
    alternatives.push(readAlternative(state, subject !== undefined));
  } while (state.isWord("WHEN"));
  const otherwise = state.takeWord("ELSE") ? state.rules.expression(state) : undefined;
  state.expectWord("END");
  state.cases -= 1;
  return { kind: "case", ...omitUndefined({ subject, otherwise }), alternatives, at };
};

const readAlternative = (state: ParserState, values: boolean): CaseAlternative => {
  const { at } = state.expectWord("WHEN");
  const when = values ? state.commaSeparated(() => readWhen(state)) : [readWhen(state)];
  state.expectWord("THEN");
  return { kind: "alternative", when, then: state.rules.expression(state), at };
};

const readWhen = (state: ParserState): Expression => {
  const { token } = state;
  const first = token.kind === "mark" ? token.mark : token.kind === "name" ? token.word : "";
  if (startsAfterWhen.has(first))
    state.refuse("WHEN takes a value or a whole condition; write CASE WHEN x > 1 THEN …");
  return state.rules.expression(state);
};

const shortestPaths = new Set(["shortestpath", "allshortestpaths"]);

/** Whether a name, dotted perhaps, and an opening parenthesis begin here. */
const isFunctionAt = (state: ParserState): boolean => state.isMark("(", nameTokens(state));

/** How many tokens the dotted name here has. */
const nameTokens = (state: ParserState): number => {
  let count = 1;
  while (state.isMark(".", count) && state.ahead(count + 1).kind === "name") count += 2;
  return count;
};

/** Reads a call of an allowed function; an unknown one and a wrong number of arguments are noted. */
const readFunction = (state: ParserState): Expression => {
  const { at } = state.token;
  const parts = [state.expectName().name];
  while (state.takeMark(".")) parts.push(state.expectName().name);
  const written = parts.join(".");
  const name = written.toLowerCase();
  const signature = functions.get(name);
  if (shortestPaths.has(name)) state.refuse(shortestPathRefusal, at);
  if (signature === undefined) state.note(`function ${written} is not allowed`, at);
  else if (signature.aggregate && !state.aggregates) {
    state.note(`aggregating function ${written} is not allowed here`, at);
  }

  state.expectMark("(");
  if (name === "count" && state.takeMark("*")) {
    state.expectMark(")");
    return { kind: "function", name, distinct: false, star: true, args: [], at };
  }
  const distinct = takeDistinct(state);
  const args = readArguments(state, signature);
  if (signature !== undefined) checkCall(state, written, signature, { distinct, args, at });
  return { kind: "function", name, distinct, star: false, args, at };
};

/** The keyword, and not a variable of that name. */
const takeDistinct = (state: ParserState): boolean => {
  const next = state.ahead(1);
  const plain = next.kind === "mark" && [")", ",", "."].includes(next.mark);
  return !plain && state.takeWord("DISTINCT");
};

const readArguments = (state: ParserState, signature: Signature | undefined): readonly Expression[] => {
  const { aggregates } = state;
  if (signature?.aggregate === true) state.aggregates = false;
  const args = readExpressions(state, ")");
  state.aggregates = aggregates;
  state.expectMark(")");
  return args;
};

const checkCall = (
  state: ParserState,
  written: string,
  signature: Signature,
  { distinct, args, at }: Pick<FunctionCall, "distinct" | "args" | "at">,
): void => {
  if (distinct && !signature.aggregate) state.note(`function ${written} does not take DISTINCT`, at);
  if (args.length < signature.least || args.length > signature.most) {
    state.note(`function ${written} takes ${arity(signature)}, not ${args.length}`, at);
  }
  // The database plans no such text.
  if (signature.aggregate && args.some(aggregatesWithin)) {
    state.note(
      `aggregating function ${written} takes no subquery that aggregates; name its value in a WITH before`,
      at,
    );
  }
};

/** True when a subquery of the expression aggregates; an aggregate next to it is refused by itself. */
const aggregatesWithin = (expression: Node): boolean =>
  expression.kind === "exists" || expression.kind === "count"
    ? holdsAggregate(expression)
    : childrenOf(expression).some(aggregatesWithin);

const arity = ({ least, most }: Signature): string => {
  if (most === Infinity) return `at least ${least} argument${least === 1 ? "" : "s"}`;
  return least === most ? `${least} argument${least === 1 ? "" : "s"}` : `${least} to ${most} arguments`;
};

/** Reads what `[` begins where an operand stands: a list comprehension, a pattern comprehension or a list. */
const readBracketed = (state: ParserState): Expression => {
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
  const path = readPath(state);
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
  const items = readExpressions(state, "]");
  state.expectMark("]");
  return { kind: "list", items, at };
};

/** Any number of expressions before a closing bracket. */
const readExpressions = (state: ParserState, close: ")" | "]"): readonly Expression[] =>
  state.isMark(close) ? [] : state.commaSeparated(() => state.rules.expression(state));

const quantifiers = new Map<string, Quantifier["quantifier"]>([
  ["ALL", "all"],
  ["ANY", "any"],
  ["NONE", "none"],
  ["SINGLE", "single"],
]);

/** Whether a quantifier (`all(x IN …`) or `reduce(…` begins here: functions with a syntax of their own. */
const isListFunctionAt = (state: ParserState): boolean => {
  const { token } = state;
  if (token.kind !== "name" || !state.isMark("(", 1)) return false;
  return token.word === "REDUCE" || quantifiers.has(token.word);
};

/** Reads `all(x IN list WHERE p)` and `reduce(a = 0, x IN list | a + x)`. */
const readListFunction = (state: ParserState): Expression => {
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
