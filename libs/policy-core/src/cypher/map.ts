import type { Clause, Expression, LabelExpression, Node, NodeKind, NodeOf } from "./ast.ts";
import { childAt, childFields, isNode } from "./children.ts";

type Family = Expression | LabelExpression | Clause;

/** What may stand where a node of type `N` stands: any expression for an expression, the same kind for the rest. */
type Replacement<N extends Node> = N extends Expression
  ? Expression
  : N extends LabelExpression
    ? LabelExpression
    : N extends Clause
      ? Clause
      : N extends Exclude<Node, Family>
        ? N
        : never;

/** What a hook may call. */
export interface Rewriter {
  /** The child rewritten, its own hook included. */
  map<N extends Node>(child: N): Replacement<N>;
  /** The same node with its children rewritten, its own hook left out: what happens without a hook. */
  rebuild<N extends Node>(node: N): N;
}

/**
 * One hook per kind. A hook decides about its whole subtree: it may rebuild it and change the result (bottom up),
 * change the node and rebuild that (top down), or build something new from mapped parts. Undefined leaves the
 * node to the default, which is to rebuild it.
 */
export type Hooks = {
  readonly [K in NodeKind]?: (node: NodeOf<K>, inner: Rewriter) => Replacement<NodeOf<K>> | undefined;
};

/**
 * A new tree from `root` with `hooks` applied. Every node is reached once, from the root down, nested patterns
 * and subqueries included, with two exceptions: the map of a pattern (`(n {…})`) is met entry by entry, and the
 * argument of USE by its clause only, because nothing else may stand there.
 */
export const mapTree = <N extends Node>(root: N, hooks: Hooks): Replacement<N> => {
  const inner: Rewriter = {
    map: (part) => {
      // The hook under a node's own kind takes and gives that kind; the compiler cannot follow the lookup.
      const hook = hooks[part.kind] as ((node: Node, inner: Rewriter) => Node | undefined) | undefined;
      // A rebuilt node is of its own kind, which is always one that may stand there.
      return (hook?.(part, inner) ?? rebuild(part, inner)) as Replacement<typeof part>;
    },
    // As above: rebuild keeps the kind.
    rebuild: <M extends Node>(node: M) => rebuild(node, inner) as M,
  };
  return inner.map(root);
};

const rebuild = (node: Node, inner: Rewriter): Node => {
  const fields = childFields(node.kind);
  // Nothing else may stand in a USE.
  if (fields.length === 0 || node.kind === "use") return node;
  const rebuilt: Record<string, unknown> = { ...node };
  for (const field of fields) {
    const child = childAt(node, field);
    if (child === undefined) continue;
    if (!isNode(child)) rebuilt[field] = child.map((each) => inner.map(each));
    else rebuilt[field] = isPatternMap(node, child) ? inner.rebuild(child) : inner.map(child);
  }
  // Each child was replaced by one that may stand in its place.
  return rebuilt as unknown as Node;
};

const isPatternMap = (node: Node, child: Node): boolean =>
  child.kind === "map" && (node.kind === "node" || node.kind === "relationship");
