import type {
  Expression,
  Binary,
  BinaryOperator,
  ComparisonOperator,
  ComparisonStep,
  Unary,
} from "../ast.ts";
import { omitUndefined } from "../walk.ts";
import { readOperand } from "./operands.ts";
import { isLabelStart, readLabel } from "./patterns.ts";
import type { ParserState } from "./parser-state.ts";

/** Reads an operand with its postfix operators: `.key`, `[index]`, `[from..to]`, `:Label`. */
const readPostfix = (state: ParserState): Expression => {
  let target = readOperand(state);
  for (;;) {
    const { at } = target;
    if (state.takeMark(".")) target = { kind: "property", target, key: state.expectName().name, at };
    else if (state.isMark("[")) target = readBrackets(state, target);
    else if (isLabelStart(state))
      target = { kind: "label-test", target, label: readLabel(state, "node"), at };
    else return target;
  }
};

const readBrackets = (state: ParserState, target: Expression): Expression => {
  const { at } = target;
  state.expectMark("[");
  const from = state.isMark("..") ? undefined : readExpression(state);
  if (from !== undefined && state.takeMark("]")) return { kind: "index", target, index: from, at };
  state.expectMark("..");
  if (from === undefined && state.isMark("]")) state.refuse("a slice needs a beginning or an end");
  const to = state.isMark("]") ? undefined : readExpression(state);
  state.expectMark("]");
  return { kind: "slice", target, ...omitUndefined({ from, to }), at };
};

/** Precedence, loosest first. */
const level = {
  or: 1,
  xor: 2,
  and: 3,
  not: 4,
  comparison: 5,
  predicate: 6,
  sum: 7,
  product: 8,
  power: 9,
} as const;

interface Infix {
  readonly level: number;
  readonly operator: BinaryOperator;
  /** Second word of the operator. */
  readonly second?: "WITH";
}

const words = new Map<string, Infix>([
  ["OR", { level: level.or, operator: "OR" }],
  ["XOR", { level: level.xor, operator: "XOR" }],
  ["AND", { level: level.and, operator: "AND" }],
  ["STARTS", { level: level.predicate, operator: "STARTS WITH", second: "WITH" }],
  ["ENDS", { level: level.predicate, operator: "ENDS WITH", second: "WITH" }],
  ["CONTAINS", { level: level.predicate, operator: "CONTAINS" }],
  ["IN", { level: level.predicate, operator: "IN" }],
]);

const marks = new Map<string, Infix>([
  ["=~", { level: level.predicate, operator: "=~" }],
  ["+", { level: level.sum, operator: "+" }],
  ["-", { level: level.sum, operator: "-" }],
  ["||", { level: level.sum, operator: "||" }],
  ["*", { level: level.product, operator: "*" }],
  ["/", { level: level.product, operator: "/" }],
  ["%", { level: level.product, operator: "%" }],
  ["^", { level: level.power, operator: "^" }],
]);

const comparisons = new Map<string, ComparisonOperator>([
  ["=", "="],
  ["<>", "<>"],
  ["<", "<"],
  ["<=", "<="],
  [">", ">"],
  [">=", ">="],
]);

/** Reads an expression. Chains of operators are loops: only brackets and CASE, which are counted, recurse. */
export const readExpression = (state: ParserState): Expression => readLevel(state, level.or);

const readLevel = (state: ParserState, least: number): Expression => {
  let left = readPrefix(state, least);
  for (;;) {
    const next = readInfix(state, left, least);
    if (next === undefined) return left;
    left = next;
  }
};

type Sign = Pick<Unary, "operator" | "at">;

/** `NOT` where a truth value may stand; a sign binds tighter than everything but `.key` and `[i]`. */
const readPrefix = (state: ParserState, least: number): Expression => {
  if (least <= level.not && state.isWord("NOT")) {
    const signs: Sign[] = [];
    for (let { at } = state.token; state.takeWord("NOT"); { at } = state.token)
      signs.push({ operator: "NOT", at });
    return wrap(readLevel(state, level.not + 1), signs);
  }
  return readSigned(state);
};

const readSigned = (state: ParserState): Expression => {
  const signs: Sign[] = [];
  for (let { at } = state.token; ; { at } = state.token) {
    if (state.takeMark("-")) signs.push({ operator: "-", at });
    else if (state.takeMark("+")) signs.push({ operator: "+", at });
    else return wrap(readPostfix(state), signs);
  }
};

const wrap = (operand: Expression, signs: readonly Sign[]): Expression =>
  signs.reduceRight<Expression>(
    (inner, { operator, at }) => ({ kind: "unary", operator, operand: inner, at }),
    operand,
  );

/** The operator that follows `left` with its right side, if it binds at least as tight as `least`. */
const readInfix = (state: ParserState, left: Expression, least: number): Expression | undefined => {
  const { token } = state;
  if (token.kind === "mark" && comparisons.has(token.mark)) {
    return least <= level.comparison ? readComparison(state, left) : undefined;
  }
  if (state.isWord("IS")) return least <= level.predicate ? readIsNull(state, left) : undefined;
  const infix =
    token.kind === "mark" ? marks.get(token.mark) : token.kind === "name" ? words.get(token.word) : undefined;
  if (infix === undefined || infix.level < least) return undefined;
  state.index += 1;
  if (infix.second !== undefined) state.expectWord(infix.second);
  const right = readLevel(state, infix.level + 1);
  const node: Binary = { kind: "binary", operator: infix.operator, left, right, at: left.at };
  if (infix.level === level.predicate) refuseSecondPredicate(state);
  return node;
};

const readComparison = (state: ParserState, first: Expression): Expression => {
  const rest: ComparisonStep[] = [];
  for (;;) {
    const { token } = state;
    const operator = token.kind === "mark" ? comparisons.get(token.mark) : undefined;
    if (operator === undefined) return { kind: "comparison", first, rest, at: first.at };
    state.index += 1;
    rest.push({ kind: "step", operator, operand: readLevel(state, level.comparison + 1), at: token.at });
  }
};

const readIsNull = (state: ParserState, operand: Expression): Expression => {
  state.expectWord("IS");
  const negated = state.takeWord("NOT");
  state.expectWord("NULL");
  refuseSecondPredicate(state);
  return { kind: "is-null", operand, negated, at: operand.at };
};

/** `a IN b IN c` and `a IS NULL IS NULL` need parentheses in the database too. */
const refuseSecondPredicate = (state: ParserState): void => {
  const { token } = state;
  const word =
    token.kind === "name" ? words.get(token.word)?.level === level.predicate || token.word === "IS" : false;
  const mark = token.kind === "mark" && token.mark === "=~";
  if (word || mark) state.unexpected();
};
