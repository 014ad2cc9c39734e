import { omitUndefined } from "@ikg/contracts/values";
import type { Expression, Binary, ComparisonStep, Unary } from "../ast.ts";
import { comparisonMarks, type Infix, infixMarks, infixWords, level } from "../operators.ts";
import type { Token } from "../lex/token.ts";
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

const infixAt = (token: Token): Infix | undefined => {
  if (token.kind === "mark") return infixMarks.get(token.mark);
  return token.kind === "name" ? infixWords.get(token.word) : undefined;
};

/** The operator that follows `left` with its right side, if it binds at least as tight as `least`. */
const readInfix = (state: ParserState, left: Expression, least: number): Expression | undefined => {
  const { token } = state;
  if (token.kind === "mark" && comparisonMarks.has(token.mark)) {
    return least <= level.comparison ? readComparison(state, left) : undefined;
  }
  if (state.isWord("IS")) return least <= level.predicate ? readIsNull(state, left) : undefined;
  const infix = infixAt(token);
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
    const operator = token.kind === "mark" ? comparisonMarks.get(token.mark) : undefined;
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
  if (infixAt(state.token)?.level === level.predicate || state.isWord("IS")) state.unexpected();
};
