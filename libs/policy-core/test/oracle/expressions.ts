import type { ComparisonOperator } from "../../src/cypher/ast.ts";
import { callFunction } from "./functions.ts";
import type { ArithmeticOperator, Expr, LabelSpec, PathStep, TextOperator } from "./model.ts";
import { hasLabel, matchAll } from "./patterns.ts";
import { edgeAttribute, nodeAttribute, type Row, type Setting } from "./setting.ts";
import { runClauses } from "./clauses.ts";
import {
  and,
  compare,
  equals,
  isList,
  isMap,
  isNode,
  isNumber,
  not,
  show,
  or,
  type Truth,
  truthOf,
  type Value,
  xor,
} from "./values.ts";

const compareChain = (expr: Extract<Expr, { kind: "compare" }>, row: Row, setting: Setting): Truth => {
  let left = evaluate(expr.first, row, setting);
  let truth: Truth = true;
  for (const { operator, expr: next } of expr.rest) {
    const right = evaluate(next, row, setting);
    truth = and(truth, compareBy(operator, left, right));
    left = right;
  }
  return truth;
};

/** What an ordering comes to; null where the two have none. */
export const testOrder = (operator: "<" | "<=" | ">" | ">=", order: number | null): Truth => {
  if (order === null) return null;
  switch (operator) {
    case "<":
      return order < 0;
    case "<=":
      return order <= 0;
    case ">":
      return order > 0;
    case ">=":
      return order >= 0;
  }
};

const compareBy = (operator: ComparisonOperator, left: Value, right: Value): Truth => {
  if (operator === "=") return equals(left, right);
  if (operator === "<>") return not(equals(left, right));
  return testOrder(operator, compare(left, right));
};

/** Text tests; null when either side is no text. */
export const testText = (operator: TextOperator, left: Value, right: Value): Truth => {
  if (typeof left !== "string" || typeof right !== "string") return null;
  switch (operator) {
    case "STARTS WITH":
      return left.startsWith(right);
    case "ENDS WITH":
      return left.endsWith(right);
    case "CONTAINS":
      return left.includes(right);
    case "=~":
      // The whole text, and a dot is anything but a line feed. Only patterns that mean the same everywhere are drawn.
      return new RegExp(`^(?:${right.replaceAll(".", String.raw`[^\n]`)})$`, "u").test(left);
  }
};

export const isIn = (item: Value, list: Value): Truth => {
  if (list === null) return null;
  if (!isList(list)) throw new TypeError("IN takes a list");
  return list.reduce<Truth>((truth, each) => or(truth, equals(item, each)), false);
};

const addUp = (left: Value, right: Value): Value => {
  if (isList(left)) return [...left, ...(isList(right) ? right : [right])];
  if (isList(right)) return [left, ...right];
  if (typeof left === "string" || typeof right === "string") return show(left) + show(right);
  return calculate("+", left, right);
};

const calculate = (operator: ArithmeticOperator, left: Value, right: Value): Value => {
  if (typeof left === "bigint" && typeof right === "bigint")
    switch (operator) {
      case "+":
        return left + right;
      case "-":
        return left - right;
      case "*":
        return left * right;
      case "/":
        return left / right;
      default:
        return left % right;
    }
  if (!isNumber(left) || !isNumber(right)) throw new TypeError("arithmetic takes numbers");
  const [a, b] = [Number(left), Number(right)];
  switch (operator) {
    case "+":
      return a + b;
    case "-":
      return a - b;
    case "*":
      return a * b;
    case "/":
      return a / b;
    case "%":
      return a % b;
  }
};

const pick = (list: Value, index: Value): Value => {
  if (!isList(list) || typeof index !== "bigint") return null;
  return list.at(Number(index)) ?? null;
};

const quantify = (expr: Extract<Expr, { kind: "quantifier" }>, row: Row, setting: Setting): Truth => {
  const list = evaluate(expr.list, row, setting);
  if (list === null) return null;
  if (!isList(list)) throw new TypeError("a quantifier takes a list");
  const truths = list.map((each) =>
    truthOf(evaluate(expr.where, new Map([...row, [expr.variable, each]]), setting)),
  );
  const any = truths.reduce<Truth>(or, false);
  switch (expr.quantifier) {
    case "all":
      return truths.reduce<Truth>(and, true);
    case "any":
      return any;
    case "none":
      return not(any);
    case "single": {
      const found = truths.filter((truth) => truth === true).length;
      return found > 1 ? false : truths.includes(null) ? null : found === 1;
    }
  }
};

const choose = (expr: Extract<Expr, { kind: "case" }>, row: Row, setting: Setting): Value => {
  const subject = expr.subject && evaluate(expr.subject, row, setting);
  const chosen = expr.branches.find(({ when }) => {
    const value = evaluate(when, row, setting);
    return (subject === undefined ? truthOf(value) : equals(subject, value)) === true;
  });
  if (chosen !== undefined) return evaluate(chosen.then, row, setting);
  return expr.otherwise === undefined ? null : evaluate(expr.otherwise, row, setting);
};

const eachOf = (expr: Extract<Expr, { kind: "each" }>, row: Row, setting: Setting): Value => {
  const list = evaluate(expr.list, row, setting);
  if (!isList(list)) return null;
  return list.flatMap((item) => {
    const inside: Row = new Map([...row, [expr.variable, item]]);
    if (expr.where !== undefined && truthOf(evaluate(expr.where, inside, setting)) !== true) return [];
    return [expr.result === undefined ? item : evaluate(expr.result, inside, setting)];
  });
};

const fold = (expr: Extract<Expr, { kind: "reduce" }>, row: Row, setting: Setting): Value => {
  const list = evaluate(expr.list, row, setting);
  if (!isList(list)) return null;
  return list.reduce<Value>(
    (total, item) =>
      evaluate(expr.result, new Map([...row, [expr.accumulator, total], [expr.variable, item]]), setting),
    evaluate(expr.initial, row, setting),
  );
};

const eachPath = (expr: Extract<Expr, { kind: "each-path" }>, row: Row, setting: Setting): Value =>
  matchAll([expr.path], row, setting).flatMap((inside) => {
    if (expr.where !== undefined && truthOf(evaluate(expr.where, inside, setting)) !== true) return [];
    return [evaluate(expr.result, inside, setting)];
  });

const slice = (expr: Extract<Expr, { kind: "slice" }>, row: Row, setting: Setting): Value => {
  const [list, from, to] = [expr.of, expr.from, expr.to].map((each) =>
    each === undefined ? undefined : evaluate(each, row, setting),
  );
  if (list === undefined || !isList(list) || from === null || to === null) return null;
  const bound = (value: Value | undefined): number | undefined =>
    typeof value === "bigint" ? Number(value) : undefined;
  return list.slice(bound(from), bound(to));
};

const boundValue = (name: string, row: Row): Value => {
  const found = row.get(name);
  if (found === undefined) throw new TypeError(`${name} is not bound`);
  return found;
};

const attributeOf = (node: Value, step: PathStep): Value => {
  if (node === null) return null;
  if (!isNode(node)) throw new TypeError("a node path starts at a node");
  return nodeAttribute(node, step);
};

const labelTest = (node: Value, label: LabelSpec): Truth =>
  isNode(node) ? hasLabel(node.labels, label) : null;

const arithmetic = (operator: ArithmeticOperator, left: Value, right: Value): Value => {
  if (left === null || right === null) return null;
  return operator === "+" ? addUp(left, right) : calculate(operator, left, right);
};

const connectives = { and, or, xor };

const subquery = (
  expr: Extract<Expr, { kind: "exists" | "count-rows" }>,
  row: Row,
  setting: Setting,
): Value => {
  const { length } = runClauses(expr.body, row, setting, true);
  return expr.kind === "exists" ? length > 0 : BigInt(length);
};

/** The value of an expression in one row. */
export const evaluate = (expr: Expr, row: Row, setting: Setting): Value => {
  const of = (inner: Expr): Value => evaluate(inner, row, setting);
  switch (expr.kind) {
    case "literal":
      return expr.value;
    case "variable":
      return boundValue(expr.name, row);
    case "reference":
      return setting.lookUp(expr);
    case "node-path":
      return attributeOf(of(expr.of), expr.step);
    case "edge-path":
      return edgeAttribute(of(expr.of), expr.name);
    case "not":
      return not(truthOf(of(expr.of)));
    case "minus":
      return arithmetic("-", 0n, of(expr.of));
    case "and":
    case "or":
    case "xor":
      return connectives[expr.kind](truthOf(of(expr.left)), truthOf(of(expr.right)));
    case "compare":
      return compareChain(expr, row, setting);
    case "text-test":
      return testText(expr.operator, of(expr.left), of(expr.right));
    case "in":
      return isIn(of(expr.left), of(expr.right));
    case "is-null":
      return (of(expr.of) === null) !== expr.negated;
    case "has-label":
      return labelTest(of(expr.of), expr.label);
    case "arithmetic":
      return arithmetic(expr.operator, of(expr.left), of(expr.right));
    case "list":
      return expr.items.map(of);
    case "index":
      return pick(of(expr.of), of(expr.index));
    case "slice":
      return slice(expr, row, setting);
    case "call":
      return callFunction(expr.name, expr.args.map(of));
    case "aggregate":
      throw new TypeError("an aggregate outside of WITH");
    case "case":
      return choose(expr, row, setting);
    case "each":
      return eachOf(expr, row, setting);
    case "quantifier":
      return quantify(expr, row, setting);
    case "reduce":
      return fold(expr, row, setting);
    case "exists":
    case "count-rows":
      return subquery(expr, row, setting);
    case "path-exists":
      return matchAll([expr.path], row, setting).length > 0;
    case "each-path":
      return eachPath(expr, row, setting);
  }
};

/** A member of a map parameter; a step into anything else is null. */
export const memberOf = (value: Value, path: readonly string[]): Value =>
  path.reduce<Value>((at, step) => (isMap(at) ? (at.entries.get(step) ?? null) : null), value);
