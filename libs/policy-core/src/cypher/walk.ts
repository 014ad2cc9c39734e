import type { LabelExpression, Node, NodePattern, Query } from "./ast.ts";
import { childAt, childFields, isNode } from "./children.ts";

const none: readonly Node[] = [];

/** The children of a node in the order of the text. */
export const childrenOf = (node: Node): readonly Node[] => {
  const fields = childFields(node.kind);
  if (fields.length === 0) return none;
  const children: Node[] = [];
  for (const field of fields) {
    const child = childAt(node, field);
    if (child === undefined) continue;
    if (isNode(child)) children.push(child);
    else for (const each of child) children.push(each);
  }
  return children;
};

/**
 * Every node of a tree, `root` first, in the order of the text; patterns, subqueries and labels included. Uses
 * no recursion, so the depth of the tree does not matter.
 *
 * @param into whether to visit the children of a node; the node itself is yielded either way
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

/** The index of the clause of the text itself in which a pattern stands; -1 for a pattern inside a subquery. */
export const clauseIndexOf = (pattern: NodePattern, { clauses }: Query): number =>
  clauses.findIndex(
    (clause) => clause.kind === "match" && clause.patterns.some(({ elements }) => elements.includes(pattern)),
  );

/** Names in a label expression, each once, in the order of the text. */
export const labelNames = (label: LabelExpression): readonly string[] => {
  const names = new Set<string>();
  for (const node of nodesOf(label)) if (node.kind === "label") names.add(node.name);
  return [...names];
};
