import type {
  Expression,
  Binary,
  BinaryOperator,
  ComparisonOperator,
  ComparisonStep,
  Unary,
} from "../ast.ts";
import { present } from "../walk.ts";
import { isLabelStart, readLabel } from "./patterns.ts";
import { readPrimary } from "./primary.ts";
import type { Reader } from "./reader.ts";

/** Reads a primary with what is hung on it: `.key`, `[index]`, `[from..to]`, `:Label`. */
const readPostfix = (reader: Reader): Expression => {
  let target = readPrimary(reader);
  for (;;) {
    const { at } = target;
    if (reader.takeMark(".")) target = { kind: "property", target, key: reader.expectName().name, at };
    else if (reader.isMark("[")) target = readBrackets(reader, target);
    else if (isLabelStart(reader))
      target = { kind: "label-test", target, label: readLabel(reader, "node"), at };
    else return target;
  }
};

const readBrackets = (reader: Reader, target: Expression): Expression => {
  const { at } = target;
  reader.expectMark("[");
  const from = reader.isMark("..") ? undefined : reader.rules.expression(reader);
  if (from !== undefined && reader.takeMark("]")) return { kind: "index", target, index: from, at };
  reader.expectMark("..");
  if (from === undefined && reader.isMark("]")) reader.refuse("a slice needs a beginning or an end");
  const to = reader.isMark("]") ? undefined : reader.rules.expression(reader);
  reader.expectMark("]");
  return { kind: "slice", target, ...present({ from, to }), at };
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
export const readExpression = (reader: Reader): Expression => readLevel(reader, level.or);

const readLevel = (reader: Reader, least: number): Expression => {
  let left = readPrefix(reader, least);
  for (;;) {
    const next = readInfix(reader, left, least);
    if (next === undefined) return left;
    left = next;
  }
};

type Sign = Pick<Unary, "operator" | "at">;

/** `NOT` where a truth value may stand; a sign binds tighter than everything but `.key` and `[i]`. */
const readPrefix = (reader: Reader, least: number): Expression => {
  if (least <= level.not && reader.isWord("NOT")) {
    const signs: Sign[] = [];
    for (let { at } = reader.token; reader.takeWord("NOT"); { at } = reader.token)
      signs.push({ operator: "NOT", at });
    return wrap(readLevel(reader, level.not + 1), signs);
  }
  return readSigned(reader);
};

const readSigned = (reader: Reader): Expression => {
  const signs: Sign[] = [];
  for (let { at } = reader.token; ; { at } = reader.token) {
    if (reader.takeMark("-")) signs.push({ operator: "-", at });
    else if (reader.takeMark("+")) signs.push({ operator: "+", at });
    else return wrap(readPostfix(reader), signs);
  }
};

const wrap = (operand: Expression, signs: readonly Sign[]): Expression =>
  signs.reduceRight<Expression>(
    (inner, { operator, at }) => ({ kind: "unary", operator, operand: inner, at }),
    operand,
  );

/** The operator that follows `left` with its right side, if it binds at least as tight as `least`. */
const readInfix = (reader: Reader, left: Expression, least: number): Expression | undefined => {
  const { token } = reader;
  if (token.kind === "mark" && comparisons.has(token.mark)) {
    return least <= level.comparison ? readComparison(reader, left) : undefined;
  }
  if (reader.isWord("IS")) return least <= level.predicate ? readIsNull(reader, left) : undefined;
  const infix =
    token.kind === "mark" ? marks.get(token.mark) : token.kind === "name" ? words.get(token.word) : undefined;
  if (infix === undefined || infix.level < least) return undefined;
  reader.index += 1;
  if (infix.second !== undefined) reader.expectWord(infix.second);
  const right = readLevel(reader, infix.level + 1);
  const node: Binary = { kind: "binary", operator: infix.operator, left, right, at: left.at };
  if (infix.level === level.predicate) refuseSecondPredicate(reader);
  return node;
};

const readComparison = (reader: Reader, first: Expression): Expression => {
  const rest: ComparisonStep[] = [];
  for (;;) {
    const { token } = reader;
    const operator = token.kind === "mark" ? comparisons.get(token.mark) : undefined;
    if (operator === undefined) return { kind: "comparison", first, rest, at: first.at };
    reader.index += 1;
    rest.push({ kind: "step", operator, operand: readLevel(reader, level.comparison + 1), at: token.at });
  }
};

const readIsNull = (reader: Reader, operand: Expression): Expression => {
  reader.expectWord("IS");
  const negated = reader.takeWord("NOT");
  reader.expectWord("NULL");
  refuseSecondPredicate(reader);
  return { kind: "is-null", operand, negated, at: operand.at };
};

/** `a IN b IN c` and `a IS NULL IS NULL` need parentheses in the database too. */
const refuseSecondPredicate = (reader: Reader): void => {
  const { token } = reader;
  const word =
    token.kind === "name" ? words.get(token.word)?.level === level.predicate || token.word === "IS" : false;
  const mark = token.kind === "mark" && token.mark === "=~";
  if (word || mark) reader.unexpected();
};
