import type { Node } from "./ast.ts";
import { nodesOf } from "./walk.ts";

/** What a function takes. */
export interface Signature {
  readonly least: number;
  /** Infinity: any number. */
  readonly most: number;
  readonly aggregate: boolean;
}

const takes = (least: number, most: number, names: string): readonly (readonly [string, Signature])[] =>
  names.split(" ").map((name) => [name.toLowerCase(), { least, most, aggregate: false }] as const);

const aggregates = (arity: number, names: string): readonly (readonly [string, Signature])[] =>
  names
    .split(" ")
    .map((name) => [name.toLowerCase(), { least: arity, most: arity, aggregate: true }] as const);

/**
 * The allowed functions, by lower-case name. What is not here is refused: most of
 * the rest would hand out values that no allow-list saw. `reduce` and the quantified predicates have a syntax
 * of their own.
 */
export const functions: ReadonlyMap<string, Signature> = new Map([
  ...aggregates(1, "count collect sum avg min max stDev stDevP"),
  ...aggregates(2, "percentileCont percentileDisc"),
  ...takes(1, 1, "size head last tail reverse isEmpty"),
  ...takes(1, Infinity, "coalesce"),
  ...takes(2, 2, "nullIf"),
  ...takes(1, 1, "type startNode endNode nodes relationships length"),
  ...takes(1, 1, "toLower toUpper trim toString"),
  ...takes(1, 2, "lTrim rTrim"),
  ...takes(2, 2, "split left right"),
  ...takes(2, 3, "substring"),
  ...takes(3, 3, "replace"),
  ...takes(1, 1, "abs ceil floor sign sqrt"),
  ...takes(1, 3, "round"),
  ...takes(1, 1, "toInteger toFloat toBoolean toIntegerOrNull toFloatOrNull toBooleanOrNull"),
  ...takes(0, 1, "date datetime localdatetime time"),
  ...takes(1, 1, "duration"),
  ...takes(2, 2, "duration.between"),
]);

/** True for a call of a function that folds rows. */
export const isAggregate = (node: Node): boolean =>
  node.kind === "function" && functions.get(node.name)?.aggregate === true;

/** True when it, or anything in it, is such a call; those of subqueries count. */
export const holdsAggregate = (node: Node): boolean => {
  for (const each of nodesOf(node)) if (isAggregate(each)) return true;
  return false;
};
