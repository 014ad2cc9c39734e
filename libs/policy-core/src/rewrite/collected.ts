import { collectedEntries } from "../bounds/budget.ts";
import type { Expression, Node, Query } from "../cypher/ast.ts";
import { itemName } from "../cypher/names.ts";
import { childrenOf, nodesOf } from "../cypher/walk.ts";
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
const glances: ReadonlySet<string> = new Set(["size", "isempty", "head", "last", "count"]);

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

/** Names of collected lists, in whichever scope. */
const collectedNames = (query: Query): ReadonlySet<string> => {
  const names = new Set<string>();
  for (let before = -1; before < names.size;) {
    before = names.size;
    for (const node of nodesOf(query)) {
      const name = node.kind === "item" ? itemName(node) : undefined;
      if (name !== undefined && node.kind === "item" && isCollected(node.expression, names)) names.add(name);
    }
  }
  return names;
};

/** Nodes whose parts are evaluated for each element of a list, without an end in between. */
const loops: ReadonlySet<Node["kind"]> = new Set(["quantifier", "list-comprehension", "reduce"]);

/** Whether a node leaves a collected list as it is, or only looks at a part of it. */
const isPassedOn = (parent: Node, list: Node, isInLoop: boolean): boolean => {
  switch (parent.kind) {
    case "item":
    case "unwind":
    case "is-null":
      return true;
    case "index":
    case "slice":
      return parent.target === list;
    case "function":
      return glances.has(parent.name) || views.has(parent.name);
    // One pass over the list for a row; within a loop there would be one for each element.
    case "binary":
      return parent.operator === "IN" && parent.right === list && !isInLoop;
    default:
      return false;
  }
};

/** Collected lists where an expression goes through all of their elements. */
export const collectedOperands = (query: Query): ReadonlySet<Node> => {
  const names = collectedNames(query);
  const operands = new Set<Node>();
  const waiting: { readonly node: Node; readonly isInLoop: boolean }[] = [{ node: query, isInLoop: false }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, isInLoop } = next;
    for (const child of childrenOf(node)) {
      if (isCollected(child, names) && !isPassedOn(node, child, isInLoop)) operands.add(child);
      waiting.push({ node: child, isInLoop: isInLoop || loops.has(node.kind) });
    }
  }
  return operands;
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
