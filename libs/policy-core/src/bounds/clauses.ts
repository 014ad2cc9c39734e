import type {
  CallClause,
  Clause,
  PathPattern,
  ReturnClause,
  SubqueryBody,
  WithClause,
} from "../cypher/ast.ts";
import { itemName } from "../cypher/names.ts";
import { openLength } from "../rewrite/rewrite.ts";
import { constant, one, sum } from "./amount.ts";
import { collectedCharacters, collectedEntries } from "./budget.ts";
import { listBytes } from "./bytes.ts";
import { type Cost, readOf } from "./cost.ts";
import { entryOf, listOf, scalar, withoutLoop, type Size } from "./size.ts";
import { boundOf, type Sizes, type Walk } from "./scope.ts";
import type { PatternWalk } from "./walk.ts";

type Names = Map<string, ReturnType<typeof boundOf>>;

/** A list of `count` nodes or relationships. */
const elements = (count: number): Size => listOf(constant(count), scalar, constant(count));

/** Hops of a relationship of a pattern. */
const hopsOf = (element: PathPattern["elements"][number]): number =>
  element.kind === "node" || element.length === undefined
    ? 0
    : (element.length.max ?? Math.max(openLength, element.length.min ?? 0));

/** Binds what a pattern names, and bounds the expressions in it. */
const patternSizes = (patterns: readonly PathPattern[], names: Names, walk: Walk): void => {
  for (const path of patterns) {
    let entries = 0;
    for (const element of path.elements) {
      const hops = hopsOf(element);
      entries += 2 * hops + 1;
      if (element.variable !== undefined && !names.has(element.variable))
        names.set(element.variable, boundOf(hops === 0 ? scalar : elements(hops)));
    }
    if (path.variable !== undefined) names.set(path.variable, boundOf(elements(entries)));
  }
  for (const path of patterns)
    for (const element of path.elements) {
      for (const { value } of element.properties?.entries ?? []) walk.whole(value, names);
      if (element.where !== undefined) walk.whole(element.where, names);
    }
};

/** Binds the items of a WITH or RETURN. */
const projectionSizes = (clause: WithClause | ReturnClause, names: Names, walk: Walk): Names => {
  const next: Names = new Map(clause.star ? names : []);
  for (const item of clause.items) {
    const { size } = walk.whole(item.expression, names);
    next.set(itemName(item) ?? "", boundOf(withoutLoop(size)));
  }
  const visible: Names = new Map([...names, ...next]);
  for (const { expression } of clause.orderBy) walk.whole(expression, visible);
  if (clause.kind === "with" && clause.where !== undefined) walk.whole(clause.where, visible);
  return next;
};

/** Adds the names that a CALL returns to those around it. */
const callSizes = (call: CallClause, names: Names, walk: Walk): void => {
  const last = call.body.clauses.at(-1);
  const inner = clausesSizes(call.body.clauses, new Map(names), walk);
  if (last?.kind !== "return") return;
  for (const [name, bound] of inner) if (!names.has(name)) names.set(name, bound);
};

const clauseSizes = (clause: Clause, names: Names, walk: Walk): Names => {
  switch (clause.kind) {
    case "match":
      patternSizes(clause.patterns, names, walk);
      if (clause.where !== undefined) walk.whole(clause.where, names);
      return names;
    case "with":
    case "return":
      return projectionSizes(clause, names, walk);
    case "unwind": {
      const { size } = walk.whole(clause.expression, names);
      names.set(clause.alias, boundOf(withoutLoop(size.entries.most === 0 ? size : entryOf(size))));
      return names;
    }
    case "call":
      callSizes(clause, names, walk);
      return names;
    case "use":
      return names;
  }
};

/** Bounds every expression of clauses, in their order; gives the sizes of the names after them. */
export const clausesSizes = (clauses: readonly Clause[], names: Names, walk: Walk): Names =>
  clauses.reduce((known, clause) => clauseSizes(clause, known, walk), names);

const bodySizes = (body: SubqueryBody, names: Names, walk: Walk): void => {
  if (body.kind === "query") {
    clausesSizes(body.clauses, names, walk);
    return;
  }
  patternSizes(body.patterns, names, walk);
  if (body.where !== undefined) walk.whole(body.where, names);
};

/** What a pattern comprehension gives: the database counts it against the memory limit of the transaction. */
const collectionCost = (entry: Size): Cost => ({
  ...readOf(
    listOf(constant(collectedEntries), withoutLoop(entry), constant(collectedCharacters)),
    sum(one, constant(10)),
  ),
  peak: listBytes(constant(0)),
  reads: true,
});

const copy = (sizes: Sizes): Names => new Map(sizes);

/** Subqueries and pattern comprehensions: their rows are read from the graph, where a statement can be ended. */
export const patternWalk: PatternWalk = {
  subquery: (node, sizes, walk) => {
    if (node.kind === "pattern-predicate") patternSizes([node.pattern], copy(sizes), walk);
    else bodySizes(node.body, copy(sizes), walk);
  },
  comprehension: ({ pattern, where, result }, sizes, walk) => {
    const names = copy(sizes);
    patternSizes([pattern], names, walk);
    if (where !== undefined) walk.whole(where, names);
    return collectionCost(walk.whole(result, names).size);
  },
};
