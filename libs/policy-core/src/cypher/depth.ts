import type { Node } from "./ast.ts";
import { binarySyntax } from "./operators.ts";
import { childrenOf } from "./walk.ts";

/**
 * Most levels of a tree. The database plans 128 nested operators in seconds and does not finish with 250: the
 * limit is that of its planner. A chain of one truth operator, `a AND b AND …`, is one level: it is printed
 * and planned flat.
 */
export const maxTreeDepth = 100;

/** Limit of levels when every operator of such a chain counts: the depth of a recursion over the tree. */
export const maxRecursionDepth = 400;

/** The first node that is deeper than the database or a recursion allows. Uses no recursion itself. */
export const tooDeep = (root: Node): Node | undefined => {
  let nodes: readonly NodeAtLevel[] = [{ node: root, level: 1 }];
  for (let depth = 1; nodes.length > 0; depth += 1) {
    const found = nodes.find(
      ({ node, level }) => level > maxTreeDepth || depth > maxRecursionDepth || isLong(node),
    );
    if (found !== undefined) return found.node;
    nodes = nodes.flatMap(below);
  }
  return undefined;
};

/** `a < b < c …` is no deep tree here and a long conjunction in the database. */
const isLong = (node: Node): boolean => node.kind === "comparison" && node.rest.length > maxTreeDepth;

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
