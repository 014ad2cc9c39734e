import { omitUndefined } from "./walk.ts";
import type {
  CaseAlternative,
  Clause,
  ComparisonStep,
  Expression,
  LabelExpression,
  MapEntry,
  MapLiteral,
  Node,
  NodeKind,
  NodeOf,
  NodePattern,
  PathPattern,
  PatternBody,
  ProjectionItem,
  Query,
  RelationshipPattern,
  SortItem,
} from "./ast.ts";

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

/** What a hook can ask for. */
export interface Rewriter {
  /** The part rewritten, its own hook included. */
  map<N extends Node>(part: N): Replacement<N>;
  /** The same node with its parts rewritten, its own hook left out: what happens without a hook. */
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
  switch (node.kind) {
    case "query":
      return { ...node, clauses: node.clauses.map((clause): Clause => inner.map(clause)) } satisfies Query;
    case "match":
    case "with":
    case "return":
    case "unwind":
    case "use":
    case "call":
      return rebuildClause(node, inner);
    case "pattern-body":
      return {
        ...node,
        patterns: mapAll(node.patterns, inner),
        ...expressions(node, inner),
      } satisfies PatternBody;
    case "item":
    case "sort":
      return { ...node, expression: inner.map(node.expression) } satisfies ProjectionItem | SortItem;
    case "path":
      return {
        ...node,
        elements: node.elements.map((element) => inner.map<NodePattern | RelationshipPattern>(element)),
      } satisfies PathPattern;
    case "node":
    case "relationship":
      return rebuildElement(node, inner);
    case "label-and":
    case "label-or":
      return {
        ...node,
        parts: node.parts.map((part): LabelExpression => inner.map(part)),
      } satisfies LabelExpression;
    case "label-not":
      return { ...node, part: inner.map(node.part) } satisfies LabelExpression;
    case "label":
    case "label-any":
      return node;
    case "entry":
      return { ...node, value: inner.map(node.value) } satisfies MapEntry;
    case "step":
      return { ...node, operand: inner.map(node.operand) } satisfies ComparisonStep;
    case "alternative":
      return {
        ...node,
        when: node.when.map((when): Expression => inner.map(when)),
        then: inner.map(node.then),
      } satisfies CaseAlternative;
    default:
      return rebuildExpression(node, inner);
  }
};

const rebuildClause = (node: Clause, inner: Rewriter): Clause => {
  switch (node.kind) {
    case "match":
      return { ...node, patterns: mapAll(node.patterns, inner), ...expressions(node, inner) };
    case "with":
    case "return":
      return {
        ...node,
        items: mapAll(node.items, inner),
        orderBy: mapAll(node.orderBy, inner),
        ...expressions(node, inner),
      };
    case "unwind":
      return { ...node, expression: inner.map(node.expression) };
    case "use":
      return node;
    case "call":
      return { ...node, body: inner.map(node.body) };
  }
};

const rebuildElement = (
  node: NodePattern | RelationshipPattern,
  inner: Rewriter,
): NodePattern | RelationshipPattern => ({
  ...node,
  ...omitUndefined({
    label: node.label === undefined ? undefined : inner.map(node.label),
    properties: node.properties === undefined ? undefined : rebuildMap(node.properties, inner),
  }),
  ...expressions(node, inner),
});

const rebuildMap = (node: MapLiteral, inner: Rewriter): MapLiteral => ({
  ...node,
  entries: mapAll(node.entries, inner),
});

const rebuildExpression = (node: Expression, inner: Rewriter): Expression => {
  switch (node.kind) {
    case "string":
    case "integer":
    case "float":
    case "boolean":
    case "null":
    case "parameter":
    case "variable":
      return node;
    case "list":
      return { ...node, items: node.items.map((item): Expression => inner.map(item)) };
    case "map":
      return rebuildMap(node, inner);
    case "property":
      return { ...node, target: inner.map(node.target) };
    case "index":
      return { ...node, target: inner.map(node.target), index: inner.map(node.index) };
    case "slice":
      return { ...node, target: inner.map(node.target), ...expressions(node, inner) };
    case "unary":
    case "is-null":
      return { ...node, operand: inner.map(node.operand) };
    case "binary":
      return { ...node, left: inner.map(node.left), right: inner.map(node.right) };
    case "comparison":
      return { ...node, first: inner.map(node.first), rest: mapAll(node.rest, inner) };
    case "label-test":
      return { ...node, target: inner.map(node.target), label: inner.map(node.label) };
    case "function":
      return { ...node, args: node.args.map((argument): Expression => inner.map(argument)) };
    case "case":
      return { ...node, alternatives: mapAll(node.alternatives, inner), ...expressions(node, inner) };
    case "list-comprehension":
      return { ...node, list: inner.map(node.list), ...expressions(node, inner) };
    case "pattern-comprehension":
      return {
        ...node,
        pattern: inner.map(node.pattern),
        result: inner.map(node.result),
        ...omitUndefined({ where: optional(node.where, inner) }),
      };
    case "quantifier":
      return { ...node, list: inner.map(node.list), where: inner.map(node.where) };
    case "reduce":
      return {
        ...node,
        initial: inner.map(node.initial),
        list: inner.map(node.list),
        result: inner.map(node.result),
      };
    case "exists":
    case "count":
      return { ...node, body: node.body.kind === "query" ? inner.map(node.body) : inner.map(node.body) };
    case "pattern-predicate":
      return { ...node, pattern: inner.map(node.pattern) };
  }
};

const mapAll = <
  N extends PathPattern | ProjectionItem | SortItem | MapEntry | ComparisonStep | CaseAlternative,
>(
  nodes: readonly N[],
  inner: Rewriter,
): readonly Replacement<N>[] => nodes.map((node) => inner.map(node));

const optional = (node: Expression | undefined, inner: Rewriter): Expression | undefined =>
  node === undefined ? undefined : inner.map(node);

interface Optional {
  readonly subject?: Expression;
  readonly where?: Expression;
  readonly skip?: Expression;
  readonly limit?: Expression;
  readonly from?: Expression;
  readonly to?: Expression;
  readonly result?: Expression;
  readonly otherwise?: Expression;
}

/** The optional expressions of a node, mapped; absent ones stay absent. */
const expressions = (node: Optional, inner: Rewriter): Optional =>
  omitUndefined({
    subject: optional(node.subject, inner),
    where: optional(node.where, inner),
    skip: optional(node.skip, inner),
    limit: optional(node.limit, inner),
    from: optional(node.from, inner),
    to: optional(node.to, inner),
    result: optional(node.result, inner),
    otherwise: optional(node.otherwise, inner),
  });
