import type { LabelExpression, Node } from "./ast.ts";

/** The parts of a node in the order of the text, those that are nodes. */
export const childrenOf = (node: Node): readonly Node[] => {
  switch (node.kind) {
    case "query":
      return node.clauses;
    case "match":
    case "pattern-body":
      return [...node.patterns, ...some(node.where)];
    case "with":
      return [...node.items, ...node.orderBy, ...some(node.skip), ...some(node.limit), ...some(node.where)];
    case "return":
      return [...node.items, ...node.orderBy, ...some(node.skip), ...some(node.limit)];
    case "item":
    case "sort":
    case "unwind":
      return [node.expression];
    case "use":
      return [node.argument];
    case "call":
    case "exists":
    case "count":
      return [node.body];
    case "path":
      return node.elements;
    case "node":
    case "relationship":
      return [...some(node.label), ...some(node.properties), ...some(node.where)];
    case "label-and":
    case "label-or":
      return node.parts;
    case "label-not":
      return [node.part];
    case "list":
      return node.items;
    case "map":
      return node.entries;
    case "entry":
      return [node.value];
    case "property":
      return [node.target];
    case "index":
      return [node.target, node.index];
    case "slice":
      return [node.target, ...some(node.from), ...some(node.to)];
    case "unary":
    case "is-null":
    case "step":
      return [node.operand];
    case "binary":
      return [node.left, node.right];
    case "comparison":
      return [node.first, ...node.rest];
    case "label-test":
      return [node.target, node.label];
    case "function":
      return node.args;
    case "case":
      return [...some(node.subject), ...node.alternatives, ...some(node.otherwise)];
    case "alternative":
      return [...node.when, node.then];
    case "list-comprehension":
      return [node.list, ...some(node.where), ...some(node.result)];
    case "pattern-comprehension":
      return [node.pattern, ...some(node.where), node.result];
    case "quantifier":
      return [node.list, node.where];
    case "reduce":
      return [node.initial, node.list, node.result];
    case "pattern-predicate":
      return [node.pattern];
    case "label":
    case "label-any":
    case "string":
    case "integer":
    case "float":
    case "boolean":
    case "null":
    case "parameter":
    case "variable":
      return [];
  }
};

const some = <T extends Node>(node: T | undefined): readonly T[] => (node === undefined ? [] : [node]);

/**
 * Every node of a tree, `root` first, in the order of the text; patterns, subqueries and labels included. Uses
 * no recursion, so the depth of the tree does not matter.
 *
 * @param into whether to go on inside a node; the node itself is given out either way
 */
export function* nodesOf(
  root: Node,
  into: (node: Node) => boolean = () => true,
): Generator<Node, void, undefined> {
  const waiting: Node[] = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    yield node;
    if (!into(node)) continue;
    const children = childrenOf(node);
    for (let index = children.length - 1; index >= 0; index -= 1) {
      const child = children[index];
      if (child !== undefined) waiting.push(child);
    }
  }
}

/** Names in a label expression, each once, in the order of the text. */
export const labelNames = (label: LabelExpression): readonly string[] => {
  const names = new Set<string>();
  for (const node of nodesOf(label)) if (node.kind === "label") names.add(node.name);
  return [...names];
};
