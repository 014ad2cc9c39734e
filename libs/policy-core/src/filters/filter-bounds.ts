import { maxSubject, maxWeight } from "../regex/java.ts";
import { patternOf } from "../regex/pattern.ts";
import { type Amount, constant, maxOf, atMost, sum, times } from "../bounds/amount.ts";
import { type Budget, callSizes } from "../bounds/budget.ts";
import { stepsExcess } from "../bounds/excess.ts";
import { charactersPerStep, searchSteps } from "../bounds/functions.ts";
import { listOf, scalar, type Size, textOf } from "../bounds/size.ts";
import { referenceSize, storedValueSize, systemField } from "../bounds/values.ts";
import type { CallSizes } from "../values/call-sizes.ts";
import type { Filter, Leaf, Operand } from "./filter.ts";
import { leavesOf, literalOf } from "./filter.ts";

/** Where a filter is evaluated: in memory, or in the database with the names that the pattern binds. */
export type FilterEnvironment = "memory" | ReadonlyMap<string, Size>;

const literalSize = (value: Extract<Operand, { kind: "literal" }>["value"]): Size => {
  if (typeof value === "string") return textOf(constant(value.length));
  if (typeof value !== "object") return scalar;
  const characters = value.reduce<number>(
    (all, each) => all + (typeof each === "string" ? each.length : 0),
    0,
  );
  return listOf(constant(value.length), textOf(constant(characters)), constant(characters + value.length));
};

const operandSize = (operand: Operand, environment: FilterEnvironment, call: CallSizes): Size => {
  switch (operand.kind) {
    case "literal":
      return literalSize(operand.value);
    case "reference":
      return referenceSize(operand.reference, call);
    case "node-path":
      if (operand.path.kind === "system") return systemField;
      return operand.path.kind === "trust" ? scalar : storedValueSize;
    case "relationship-path":
      return storedValueSize;
    case "aggregate":
      return environment === "memory" ? scalar : (environment.get(operand.name) ?? scalar);
  }
};

/** Node's search compares character by character where a text repeats itself; the database's takes several at once. */
const slowerInMemory = 16;

/** Steps of one comparison of two values, besides the characters of their texts. */
const comparisonSteps = 2;

/** Steps of comparing two lists, for each of their entries. */
const listEntrySteps = 8;

/** Steps of matching a text in memory. A pattern that the request brings may be as heavy as any that is accepted. */
const matcherSteps = (leaf: Leaf, { characters }: Size): Amount => {
  const length = Math.min(characters.most, maxSubject);
  const literal = literalOf(leaf);
  return constant(literal === undefined ? length * maxWeight : (patternOf(literal)?.steps(length) ?? 0));
};

const operatorSteps = (leaf: Leaf, attribute: Size, value: Size, environment: FilterEnvironment): Amount => {
  const entries = maxOf(attribute.entries, value.entries);
  const compared = atMost(attribute.characters, value.characters.most);
  switch (leaf.operator) {
    case "CONTAINS": {
      const search = searchSteps(attribute.characters, value.characters);
      return sum(
        environment === "memory" ? times(search, slowerInMemory) : search,
        times(entries, comparisonSteps),
      );
    }
    case "=~":
      return environment === "memory" ? matcherSteps(leaf, attribute) : constant(2 * maxSubject);
    case "IS NULL":
    case "IS NOT NULL":
      return constant(1);
    case "IN":
      return sum(times(entries, comparisonSteps), times(compared, 1 / charactersPerStep));
    case "=":
    case "<>":
    case ">":
    case ">=":
    case "<":
    case "<=":
    case "STARTS WITH":
    case "ENDS WITH":
      return sum(
        constant(comparisonSteps),
        times(atMost(attribute.entries, value.entries.most), listEntrySteps),
        times(compared, 1 / charactersPerStep),
      );
  }
};

const leafSteps = (leaf: Leaf, environment: FilterEnvironment, call: CallSizes): number => {
  const attribute = operandSize(leaf.attribute, environment, call);
  const value = leaf.value === undefined ? scalar : operandSize(leaf.value, environment, call);
  return operatorSteps(leaf, attribute, value, environment).most;
};

/** What a filter may need. */
export interface FilterBounds {
  /** Where and why it is refused. */
  readonly excess?: { readonly path: string; readonly fault: string };
  /** How large the values of a request may be; absent where any that a request can hold will do. */
  readonly call?: CallSizes;
}

/** Bounds what a filter may need for one row, or for one request, as `boundsOf` does for a text. */
export const filterBounds = (
  filter: Filter,
  environment: FilterEnvironment,
  budget: Budget,
): FilterBounds => {
  const leaves = leavesOf(filter);
  let excess: FilterBounds["excess"];
  for (const [index, call] of callSizes.entries()) {
    let [all, most, path] = [0, 0, filter.path];
    for (const leaf of leaves) {
      const steps = leafSteps(leaf, environment, call);
      all += steps;
      if (steps > most) [most, path] = [steps, leaf.path];
    }
    if (all <= budget.steps) return index === 0 ? {} : { call };
    excess = { path, ...stepsExcess(all, budget) };
  }
  return excess === undefined ? {} : { excess };
};
