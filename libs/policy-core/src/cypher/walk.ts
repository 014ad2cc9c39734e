import type { LabelExpression, Node, Expression } from "./ast.ts";
import { childAt, childFields, isNode } from "./children.ts";
import { binarySyntax } from "./operators.ts";

/** `fields` without those that are undefined, so that an absent part of a tree node is absent and not undefined. */
export const omitUndefined = <T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } => {
  const kept: { [K in keyof T]?: Exclude<T[K], undefined> } = {};
  for (const key in fields) {
    const value = fields[key];
    // The test before the cast is what Exclude requires.
    if (value !== undefined) kept[key] = value as Exclude<T[typeof key], undefined>;
  }
  return kept;
};

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

/** Names in a label expression, each once, in the order of the text. */
export const labelNames = (label: LabelExpression): readonly string[] => {
  const names = new Set<string>();
  for (const node of nodesOf(label)) if (node.kind === "label") names.add(node.name);
  return [...names];
};

/** The predicates that must all be true, in the order of the text; none for an absent predicate. */
export const conjuncts = (predicate: Expression | undefined): readonly Expression[] => {
  const found: Expression[] = [];
  const waiting = predicate === undefined ? [] : [predicate];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next.kind === "binary" && next.operator === "AND") waiting.push(next.right, next.left);
    else found.push(next);
  }
  return found;
};

/** One predicate of several; undefined for none. */
export const conjunction = (predicates: readonly Expression[]): Expression | undefined =>
  predicates.length === 0
    ? undefined
    : predicates.reduce((left, right) => ({ kind: "binary", operator: "AND", left, right, at: left.at }));

/**
 * Most levels of a tree. The database plans 128 nested operators in seconds and does not finish with 250: the
 * limit is that of its planner. A chain of one truth operator, `a AND b AND …`, is one level: it is printed
 * and planned flat.
 */
export const deepestTree = 100;

/** Most levels when every operator of such a chain counts: the depth of a recursion over the tree. */
export const deepestRecursion = 400;

/** The first node that is deeper than the database or a recursion allows. Uses no recursion itself. */
export const tooDeep = (root: Node): Node | undefined => {
  let nodes: readonly NodeAtLevel[] = [{ node: root, level: 1 }];
  for (let depth = 1; nodes.length > 0; depth += 1) {
    const found = nodes.find(
      ({ node, level }) => level > deepestTree || depth > deepestRecursion || isLong(node),
    );
    if (found !== undefined) return found.node;
    nodes = nodes.flatMap(below);
  }
  return undefined;
};

/** `a < b < c …` is no deep tree here and a long conjunction in the database. */
const isLong = (node: Node): boolean => node.kind === "comparison" && node.rest.length > deepestTree;

interface NodeAtLevel {
  readonly node: Node;
  readonly level: number;
}

const below = ({ node, level }: NodeAtLevel): readonly NodeAtLevel[] =>
  childrenOf(node).map((child) => ({ node: child, level: continuesChain(node, child) ? level : level + 1 }));

/** Whether `child` is the left part of a chain of one truth operator. */
export const continuesChain = (node: Node, child: Node): boolean =>
  node.kind === "binary" &&
  child.kind === "binary" &&
  child === node.left &&
  child.operator === node.operator &&
  binarySyntax[node.operator].flatChain === true;
