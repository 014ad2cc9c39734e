import { collectedEntries } from "../bounds/budget.ts";
import type { Clause, Expression, Node, Query, ReturnClause, WithClause } from "../cypher/ast.ts";
import { itemName } from "../cypher/names.ts";
import { childrenOf } from "../cypher/walk.ts";
import {
  call,
  compareBy,
  integer,
  isCheapToRepeat,
  letExpression,
  noPosition,
  operate,
  when,
} from "./build.ts";

/** Functions that give a part of a list without going through it. */
const views: ReadonlySet<string> = new Set(["tail"]);
/** Functions that do not go through a list. */
const constantTimeFunctions: ReadonlySet<string> = new Set(["size", "isempty", "head", "last", "count"]);

/** A list whose length the graph decides: what is collected, under its names, and views of it. */
const isCollected = (node: Node, names: ReadonlySet<string>): boolean => {
  switch (node.kind) {
    case "pattern-comprehension":
      return true;
    case "variable":
      return names.has(node.name);
    case "slice":
      return isCollected(node.target, names);
    case "function": {
      const [first] = node.args;
      return (
        node.name === "collect" || (views.has(node.name) && first !== undefined && isCollected(first, names))
      );
    }
    default:
      return false;
  }
};

type Names = ReadonlySet<string>;

const without = (names: Names, ...removed: readonly string[]): Names => {
  const left = new Set(names);
  for (const name of removed) left.delete(name);
  return left;
};

/** Goes through a text with the names that mean collected lists at each place. */
class CollectedWalk {
  readonly operands = new Set<Node>();
  /** The expression of a clause that is walked has an `IN` over a collected list. */
  #hasMembership = false;

  /** @returns the names after the last clause */
  clauses(clauses: readonly Clause[], names: Names): Names {
    return clauses.reduce((known, clause) => this.#clause(clause, known), names);
  }

  #clause(clause: Clause, names: Names): Names {
    switch (clause.kind) {
      case "with":
      case "return":
        return this.#projection(clause, names);
      case "unwind":
        this.#whole(clause.expression, clause, names);
        return without(names, clause.alias);
      case "call":
        return new Set([...names, ...this.clauses(clause.body.clauses, names)]);
      default:
        for (const child of childrenOf(clause)) this.#whole(child, clause, names);
        return names;
    }
  }

  #projection(clause: WithClause | ReturnClause, names: Names): Names {
    const renamed = new Map<string, boolean>();
    for (const item of clause.items) {
      this.#whole(item.expression, item, names);
      const name = itemName(item);
      if (name !== undefined) renamed.set(name, isCollected(item.expression, names));
    }
    const after = (before: Names): Names => {
      const known = new Set(before);
      for (const [name, isList] of renamed)
        if (isList) known.add(name);
        else known.delete(name);
      return known;
    };
    for (const child of childrenOf(clause))
      if (child.kind !== "item") this.#whole(child, clause, after(names));
    return after(clause.star ? names : new Set());
  }

  #whole(node: Node, parent: Node, names: Names): void {
    this.#hasMembership = false;
    this.#visit(node, parent, names, false);
  }

  #visit(node: Node, parent: Node, names: Names, isInLoop: boolean): void {
    if (isCollected(node, names) && !this.#isPassThrough(parent, node, isInLoop)) this.operands.add(node);
    switch (node.kind) {
      case "quantifier":
      case "list-comprehension":
        this.#loop(node, [node.list], without(names, node.variable), names, isInLoop);
        return;
      case "reduce": {
        const inner = without(names, node.variable, node.accumulator);
        this.#loop(node, [node.initial, node.list], inner, names, isInLoop);
        return;
      }
      case "query":
        this.clauses(node.clauses, names);
        return;
      default:
        for (const child of childrenOf(node)) this.#visit(child, node, names, isInLoop);
    }
  }

  /** @param outer its parts that are evaluated once */
  #loop(node: Node, outer: readonly Node[], inner: Names, names: Names, isInLoop: boolean): void {
    for (const child of childrenOf(node))
      if (outer.includes(child)) this.#visit(child, node, names, isInLoop);
      else this.#visit(child, node, inner, true);
  }

  /** Whether a node leaves a collected list as it is, or only looks at a part of it. */
  #isPassThrough(parent: Node, list: Node, isInLoop: boolean): boolean {
    switch (parent.kind) {
      case "item":
      case "unwind":
      case "is-null":
        return true;
      case "index":
      case "slice":
        return parent.target === list;
      case "function":
        return constantTimeFunctions.has(parent.name) || views.has(parent.name);
      case "binary": {
        // One pass over the list for a row: a second one is held to the length, and so are those of a loop.
        const isFirst =
          parent.operator === "IN" && parent.right === list && !isInLoop && !this.#hasMembership;
        this.#hasMembership ||= isFirst;
        return isFirst;
      }
      default:
        return false;
    }
  }
}

/** Collected lists where an expression goes through all of their elements. */
export const collectedOperands = ({ clauses }: Query): ReadonlySet<Node> => {
  const walk = new CollectedWalk();
  walk.clauses(clauses, new Set());
  return walk.operands;
};

/**
 * The list, or an error where it is longer than what its text was admitted with. Neither the time limit nor the memory limit of a
 * transaction sees what happens inside one expression, so that the bounds of a text hold only for lists of that length.
 */
export const withinCollected = (list: Expression): Expression => {
  const limited = (named: Expression): Expression => {
    const length = call("size", named);
    // A division by zero is the error that every server has. One of two literals would be met when the text is planned.
    const failing: Expression = { kind: "list", items: [operate(length, "/", integer(0))], at: noPosition };
    return when(compareBy(length, ">", integer(collectedEntries)), failing, named);
  };
  return isCheapToRepeat(list) ? limited(list) : letExpression("__list", list, limited);
};
