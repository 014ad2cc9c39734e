import type { Binary, Comparison, Expression, Parameter, Slice, Variable } from "../cypher/ast.ts";
import { comparisonKinds } from "../cypher/operators.ts";
import { maxSubject } from "../regex/java.ts";
import { type Amount, constant, maxOf, atMost, one, minOf, sum, times, zero } from "./amount.ts";
import { listBytes, textBytes, valueBytes } from "./bytes.ts";
import { apply, type Cost, plain, readOf, shortCircuit } from "./cost.ts";
import { charactersPerStep, functionSizes, searchSteps } from "./functions.ts";
import { comprehensionCost, quantifierCost, reduceCost } from "./loops.ts";
import { entryOf, entryOfBoth, largestOf, listOf, scalar, withoutLoop, type Size, textOf } from "./size.ts";
import { referenceSize, storedValueSize, systemField } from "./values.ts";
import type { Sizes, Walk } from "./scope.ts";

/** A property or field of a node or relationship, read from the graph. */
const storedCost = (size: Size, root: Expression, target: Cost, sizes: Sizes, walk: Walk): Cost => {
  const bytes = valueBytes(size.weight);
  const element = root.kind === "variable" && walk.loop !== 0 && sizes.get(root.name)?.loop === walk.loop;
  const cost = apply([target], size, { steps: constant(10), allocatedBytes: bytes });
  return { ...cost, reads: target.reads || element };
};

const propertyCost = (node: Extract<Expression, { kind: "property" }>, sizes: Sizes, walk: Walk): Cost => {
  const { references, paths } = walk.report;
  const reference = references.get(node);
  if (reference !== undefined) return readOf(referenceSize(reference, walk.call));
  const path = paths.get(node);
  if (path === undefined) {
    // A member of a map, or a field of an instant.
    const target = walk.cost(node.target, sizes);
    return apply([target], entryOf(target.size), { keeps: true });
  }
  const target = walk.cost(path.root, sizes);
  if (path.kind === "relationship-path") return storedCost(storedValueSize, path.root, target, sizes, walk);
  switch (path.path.kind) {
    case "system":
      return storedCost(systemField, path.root, target, sizes, walk);
    case "property":
    case "metadata":
      return storedCost(storedValueSize, path.root, target, sizes, walk);
    default:
      return storedCost(scalar, path.root, target, sizes, walk);
  }
};

/**
 * A list of which the database makes a set once, because it is the same in every evaluation. A property is either that,
 * or read each time, where a statement can be ended.
 */
const isStable = (list: Expression, sizes: Sizes, walk: Walk): boolean =>
  list.kind === "parameter" ||
  (list.kind === "property" && walk.report.references.has(list)) ||
  (list.kind === "variable" && sizes.get(list.name)?.loop === 0) ||
  (list.kind === "property" && isOfRow(walk.report.paths.get(list)?.root, sizes)) ||
  (list.kind === "list" && list.items.every(({ kind }) => kind === "string" || kind === "integer"));

const isOfRow = (root: Expression | undefined, sizes: Sizes): boolean =>
  root?.kind === "variable" && sizes.get(root.name)?.loop === 0;

/** Two entries of lists take 60 to 80 ns to compare. */
const entrySteps = 0.75;

/** Texts that are compared differ early or have one length; lists are compared entry by entry. */
const equalitySteps = (left: Size, right: Size): Amount =>
  sum(
    one,
    times(minOf(left.characters, right.characters), 1 / 1_024),
    times(minOf(left.entries, right.entries), entrySteps),
  );

const orderSteps = (left: Size, right: Size): Amount =>
  sum(equalitySteps(left, right), times(minOf(left.characters, right.characters), 1 / charactersPerStep));

const comparisonCost = (node: Comparison, sizes: Sizes, walk: Walk): Cost => {
  const first = walk.cost(node.first, sizes);
  let left = first.size;
  let steps: Amount = zero;
  const parts = [first];
  for (const { operator, operand } of node.rest) {
    const right = walk.cost(operand, sizes);
    const compared = comparisonKinds[operator] === "equality" ? equalitySteps : orderSteps;
    steps = sum(steps, compared(left, right.size));
    parts.push(right);
    left = right.size;
  }
  return apply(parts, scalar, { steps, certain: 2 });
};

/** A text of a text and a number, a list of two lists or of a list and an element. */
const concatenationSize = (left: Size, right: Size): Size => {
  const lists = left.entries.most > 0 || right.entries.most > 0;
  const texts = left.characters.most > 0 || right.characters.most > 0;
  if (!lists && !texts) return scalar;
  const number = (size: Size): Amount => (size.characters.most === 0 ? constant(32) : size.characters);
  const characters = texts ? sum(number(left), number(right)) : zero;
  const entries = (size: Size): Amount => (size.entries.most === 0 ? one : size.entries);
  const own = (size: Size): Size =>
    size.entries.most === 0
      ? size
      : largestOf([entryOf(size), size.characters.most > 0 ? textOf(size.characters) : scalar]);
  return {
    characters,
    entries: lists ? sum(entries(left), entries(right)) : zero,
    weight: sum(left.weight, right.weight, texts ? constant(64) : one),
    ...(lists ? { entry: withoutLoop(entryOfBoth(own(left), own(right)) ?? scalar) } : {}),
  };
};

const concatenationCost = (left: Cost, right: Cost): Cost => {
  const size = concatenationSize(left.size, right.size);
  const { characters, entries } = size;
  return apply([left, right], size, {
    steps: sum(one, times(characters, 1 / 256), times(entries, 1 / 16)),
    allocatedBytes: sum(textBytes(characters), entries.most > 0 ? listBytes(entries) : zero),
    keeps: entries.most > 0,
  });
};

const regexSteps = ({ characters }: Size): Amount =>
  sum(constant(4), times(atMost(characters, maxSubject), 2));

const binaryCost = (node: Binary, sizes: Sizes, walk: Walk): Cost => {
  const left = walk.cost(node.left, sizes);
  const right = walk.cost(node.right, sizes);
  const [text, other] = [left.size.characters, right.size.characters];
  switch (node.operator) {
    case "AND":
    case "OR":
      return shortCircuit([left, right]);
    case "+":
    case "||":
      return concatenationCost(left, right);
    case "IN": {
      const { entries, characters } = right.size;
      const hashed = sum(constant(4), times(text, 1 / 256));
      if (isStable(node.right, sizes, walk)) return plain([left, right], hashed, 2 * entries.most);
      return plain([left, right], sum(hashed, times(entries, 2), times(characters, 1 / 256)));
    }
    case "CONTAINS":
      return plain([left, right], searchSteps(text, other));
    case "STARTS WITH":
    case "ENDS WITH":
      return plain([left, right], sum(one, times(atMost(text, other.most), 1 / 512)));
    case "=~":
      return plain([left, right], regexSteps(left.size));
    case "XOR":
    case "-":
    case "*":
    case "/":
    case "%":
    case "^":
      return plain([left, right]);
  }
};

const functionCost = (node: Extract<Expression, { kind: "function" }>, sizes: Sizes, walk: Walk): Cost => {
  const args = node.args.map((argument) => walk.cost(argument, sizes));
  const rule = functionSizes[node.name];
  // Every function that the parser takes has a row.
  if (rule === undefined) throw new Error(`the size of what ${node.name} makes is not known`);
  const { size, steps, bytes, keeps } = rule(args.map((each) => each.size));
  const certain = node.name === "coalesce" ? { certain: 1 } : {};
  return apply(args, size, { steps, allocatedBytes: bytes, keeps, ...certain });
};

const listCost = (items: readonly Cost[]): Cost => {
  const entries = constant(items.length);
  const weight = items.reduce((all, { size }) => sum(all, size.weight), zero);
  const size =
    items.length === 0
      ? scalar
      : listOf(entries, withoutLoop(largestOf(items.map((item) => item.size))), weight);
  // An empty list is one that may become longer.
  const made = { ...size, ...(items.length === 0 ? { entries: constant(1) } : {}) };
  return apply(items, made, {
    steps: constant(items.length),
    allocatedBytes: listBytes(entries),
    keeps: true,
  });
};

const caseCost = (node: Extract<Expression, { kind: "case" }>, sizes: Sizes, walk: Walk): Cost => {
  const cost = (each: Expression): Cost => walk.cost(each, sizes);
  const subject = node.subject === undefined ? [] : [cost(node.subject)];
  const tests = node.alternatives.flatMap(({ when }) => when.map(cost));
  const results = [
    ...node.alternatives.map(({ then }) => then),
    ...(node.otherwise ? [node.otherwise] : []),
  ].map(cost);
  const parts = [...subject, ...tests, ...results];
  const steps = parts.reduce((all, part) => sum(all, part.steps), one);
  const most = (of: readonly Cost[], measure: "resultBytes" | "peak"): Amount =>
    of.reduce((largest, part) => maxOf(largest, part[measure]), zero);
  return {
    size: largestOf(results.map((each) => each.size)),
    steps,
    once: parts.reduce((all, part) => all + part.once, 0),
    resultBytes: most(results, "resultBytes"),
    peak: sum(most(subject, "resultBytes"), most(parts, "peak")),
    reads: (subject[0] ?? tests[0])?.reads ?? false,
  };
};

const parameterCost = (node: Parameter, walk: Walk): Cost => {
  const reference = walk.report.references.get(node);
  return readOf(reference === undefined ? scalar : referenceSize(reference, walk.call));
};

const variableCost = ({ name }: Variable, sizes: Sizes, walk: Walk): Cost => {
  const bound = sizes.get(name);
  if (bound === undefined) return readOf(scalar);
  return readOf(bound.loop === walk.loop ? bound.size : withoutLoop(bound.size));
};

const sliceCost = (node: Slice, sizes: Sizes, walk: Walk): Cost => {
  const target = walk.cost(node.target, sizes);
  const bounds = [node.from, node.to].flatMap((each) => (each === undefined ? [] : [walk.cost(each, sizes)]));
  return apply([target, ...bounds], target.size, {
    allocatedBytes: listBytes(target.size.entries),
    keeps: true,
  });
};

/** Bounds one expression by its parts. */
export const expressionCost = (node: Expression, sizes: Sizes, walk: Walk): Cost => {
  const cost = (each: Expression): Cost => walk.cost(each, sizes);
  switch (node.kind) {
    case "string":
      return readOf(textOf(constant(node.value.length)));
    case "integer":
    case "float":
    case "boolean":
    case "null":
      return readOf(scalar);
    case "list":
      return listCost(node.items.map(cost));
    case "map":
      return listCost(node.entries.map(({ value }) => cost(value)));
    case "parameter":
      return parameterCost(node, walk);
    case "variable":
      return variableCost(node, sizes, walk);
    case "property":
      return propertyCost(node, sizes, walk);
    case "index": {
      const [target, index] = [cost(node.target), cost(node.index)];
      return apply([target, index], entryOf(target.size), { keeps: true });
    }
    case "slice":
      return sliceCost(node, sizes, walk);
    case "unary":
    case "is-null":
      return plain([cost(node.operand)]);
    case "label-test":
      return plain([cost(node.target)]);
    case "binary":
      return binaryCost(node, sizes, walk);
    case "comparison":
      return comparisonCost(node, sizes, walk);
    case "function":
      return functionCost(node, sizes, walk);
    case "case":
      return caseCost(node, sizes, walk);
    case "list-comprehension":
      return comprehensionCost(node, sizes, walk);
    case "quantifier":
      return quantifierCost(node, sizes, walk);
    case "reduce":
      return reduceCost(node, sizes, walk);
    case "exists":
    case "count":
    case "pattern-predicate":
      walk.subquery(node, sizes);
      return { ...readOf(scalar, constant(10)), reads: walk.loop !== 0 };
    case "pattern-comprehension":
      return walk.comprehension(node, sizes);
  }
};
