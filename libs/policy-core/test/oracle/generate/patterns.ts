import { omitUndefined } from "@ikg/contracts/values";
import type {
  ClauseSpec,
  EdgeSpec,
  Expr,
  GraphSpec,
  HopElement,
  LabelSpec,
  NodeElement,
  NodeSpec,
  PathSpec,
} from "../model.ts";
import { keyOf } from "../world.ts";
import type { Draw } from "./draw.ts";
import { labelSpec, typeSpec } from "./labels.ts";
import { namesOfKind, newName, type Scope, type Studio, withName } from "./scope.ts";

interface Step {
  readonly edge: EdgeSpec;
  readonly out: boolean;
  readonly to: NodeSpec;
}

const stepsFrom = ({ nodes, edges }: GraphSpec, from: NodeSpec): readonly Step[] => {
  const byKey = new Map(nodes.map((node) => [keyOf(node), node]));
  return edges.flatMap((edge): Step[] => {
    const [source, target] = [byKey.get(edge.source), byKey.get(edge.target)];
    if (source === from && target !== undefined) return [{ edge, out: true, to: target }];
    return target === from && source !== undefined ? [{ edge, out: false, to: source }] : [];
  });
};

/** A walk of the graph over each edge once: to `goal` if it is reached in time, else anywhere. */
const walkAlong = (
  draw: Draw,
  graph: GraphSpec,
  from: NodeSpec,
  goal: NodeSpec | undefined,
  most: number,
): readonly Step[] => {
  for (let attempt = 0; attempt < 8; attempt++) {
    const walk: Step[] = [];
    let at = from;
    while (walk.length < most) {
      const next = stepsFrom(graph, at).filter(({ edge }) => !walk.some((step) => step.edge === edge));
      if (next.length === 0) break;
      const direct = next.filter(({ to }) => to === goal);
      const step = draw.pick(direct.length > 0 && draw.chance(0.6) ? direct : next);
      walk.push(step);
      at = step.to;
      if (at === goal && draw.chance(0.8)) break;
    }
    if (goal === undefined || at === goal) return walk;
  }
  return [];
};

export interface Drawn {
  readonly spec: PathSpec;
  readonly scope: Scope;
}

export interface PathWish {
  readonly start: { readonly name: string | undefined; readonly node: NodeSpec };
  readonly end?: { readonly name: string; readonly node: NodeSpec };
  /** New names, inline maps and conditions: not in a pattern predicate. */
  readonly plain: boolean;
  /** The path gets no name of its own. */
  readonly nameless?: true;
  readonly most: number;
}

const inlineMap = (studio: Studio, scope: Scope, node: NodeSpec): NodeElement["map"] => {
  const { draw } = studio;
  const expressions = studio.expressions(studio, scope);
  const whole = node.properties["n"]?.value;
  return draw.among<NodeElement["map"]>([
    [2, () => [{ key: "external_id", value: { kind: "literal", value: node.id } }]],
    [1, () => [{ key: "external_id", value: { kind: "reference", name: "id", path: [] } }]],
    [1, () => [{ key: "type", value: { kind: "literal", value: node.type } }]],
    [
      2,
      () => [
        {
          key: "n",
          value: typeof whole === "bigint" ? { kind: "literal", value: whole } : expressions.int(0),
        },
      ],
    ],
    [1, () => [{ key: "s", value: expressions.text(0) }]],
  ]);
};

/** The label of an end of the request is its type; others may have any. */
const nodeLabel = (studio: Studio, type: string | undefined, node: NodeSpec): LabelSpec | undefined => {
  const { draw } = studio;
  if (type === undefined)
    return draw.maybe(0.5, () => labelSpec(studio, draw.pick([node.type, node.type, ...node.labels])));
  return draw.among<LabelSpec | undefined>([
    [5, () => undefined],
    [5, () => ({ kind: "is", name: type })],
    [
      node.labels.length > 0 ? 1 : 0,
      () => ({
        kind: "both",
        parts: [
          { kind: "is", name: type },
          { kind: "is", name: draw.pick(node.labels) },
        ],
      }),
    ],
  ]);
};

/** One node of a pattern and the scope after it. `name` undefined: the drawing may give one, or leave it anonymous. */
const nodeElement = (
  studio: Studio,
  scope: Scope,
  name: string | undefined,
  node: NodeSpec,
  wish: PathWish,
): { element: NodeElement; scope: Scope } => {
  const { draw } = studio;
  const known = name !== undefined && scope.names.has(name);
  const variable = name ?? (wish.plain ? undefined : draw.maybe(0.5, () => newName(studio, scope)));
  const type = variable === undefined ? undefined : studio.types.get(variable);
  // A bound node is mostly written bare.
  const label = known && draw.chance(0.8) ? undefined : nodeLabel(studio, type, node);
  const after = variable === undefined || known ? scope : withName(scope, variable, "node", node);
  if (wish.plain) return { element: omitUndefined({ variable, label }) as NodeElement, scope: after };
  const map =
    known || type !== undefined ? undefined : draw.maybe(0.12, () => inlineMap(studio, scope, node));
  const own =
    variable === undefined
      ? undefined
      : draw.maybe(0.1, () => studio.expressions(studio, withName(scope, variable, "node")).truth(0));
  return { element: omitUndefined({ variable, label, map, where: own }) as NodeElement, scope: after };
};

const hopElement = (
  studio: Studio,
  scope: Scope,
  steps: readonly Step[],
  wish: PathWish,
): { element: HopElement; scope: Scope } => {
  const { draw } = studio;
  const first = steps[0];
  if (first === undefined) throw new Error("a hop walks at least one edge");
  const varies = steps.length > 1 || draw.chance(0.1);
  const direction = draw.among<HopElement["direction"]>([
    [14, () => (steps.every(({ out }) => out === first.out) ? (first.out ? "out" : "in") : "both")],
    [3, () => "both"],
    [1, () => (first.out ? "in" : "out")],
  ]);
  const same = steps.every(({ edge }) => edge.type === first.edge.type);
  const types = same
    ? typeSpec(studio, first.edge.type, varies)
    : draw.maybe<LabelSpec>(0.7, () => ({
        kind: "either",
        parts: [...new Set(steps.map(({ edge }) => edge.type))].map((name) => ({ kind: "is", name })),
      }));
  const variable = wish.plain ? undefined : draw.maybe(0.35, () => newName(studio, scope));
  if (varies) {
    const length = draw.pick<NonNullable<HopElement["length"]>>([
      {},
      { max: steps.length + draw.int(0, 1) },
      { min: Math.max(0, steps.length - draw.int(0, 2)), max: steps.length + draw.int(0, 1) },
      { min: steps.length, max: steps.length },
    ]);
    return {
      element: omitUndefined({ direction, variable, types, length }) as HopElement,
      scope: variable === undefined ? scope : withName(scope, variable, "edges"),
    };
  }
  const weight = first.edge.properties["w"];
  const map =
    wish.plain || weight === undefined
      ? undefined
      : draw.maybe(0.06, (): HopElement["map"] => [{ key: "w", value: { kind: "literal", value: weight } }]);
  const after = variable === undefined ? scope : withName(scope, variable, "edge");
  const where =
    variable === undefined || wish.plain
      ? undefined
      : draw.maybe(0.1, () => studio.expressions(studio, after).truth(0));
  return { element: omitUndefined({ direction, variable, types, map, where }) as HopElement, scope: after };
};

/** A path pattern along a walk of the graph, told more or less exactly. */
export const drawPath = (studio: Studio, scope: Scope, wish: PathWish): Drawn => {
  const { draw, graph } = studio;
  const walk = walkAlong(
    draw,
    graph,
    wish.start.node,
    wish.end?.node,
    draw.int(wish.plain || wish.end ? 1 : 0, wish.most),
  );
  let at = nodeElement(studio, scope, wish.start.name, wish.start.node, wish);
  const start = at.element;
  const hops: { hop: HopElement; node: NodeElement }[] = [];
  const varied = draw.chance(0.2);
  for (let index = 0; index < walk.length;) {
    const taken = walk.slice(index, index + (varied ? draw.int(1, 3) : 1));
    index += taken.length;
    const last = taken.at(-1);
    if (last === undefined) break;
    const hop = hopElement(studio, at.scope, taken, wish);
    const isEnd = index >= walk.length && wish.end !== undefined && last.to === wish.end.node;
    const back = wish.plain || isEnd ? undefined : draw.maybe(0.15, () => boundTo(hop.scope, last.to));
    at = nodeElement(studio, hop.scope, isEnd ? wish.end?.name : back, last.to, wish);
    hops.push({ hop: hop.element, node: at.element });
  }
  const variable =
    wish.plain || wish.nameless === true || hops.length === 0
      ? undefined
      : draw.maybe(0.12, () => newName(studio, at.scope));
  const spec = omitUndefined({ variable, start, hops }) as PathSpec;
  return { spec, scope: variable === undefined ? at.scope : withName(at.scope, variable, "path") };
};

/** A name that already stands for this node. */
const boundTo = (scope: Scope, node: NodeSpec): string | undefined =>
  [...scope.witnesses].find(([name, witness]) => witness === node && scope.names.get(name) === "node")?.[0];

/** A path from some bound node, for predicates and comprehensions. */
export const freshPath = (studio: Studio, scope: Scope, plain = false): Drawn | undefined => {
  const { draw } = studio;
  const bound = namesOfKind(scope, "node").filter((name) => scope.witnesses.has(name));
  if (bound.length === 0) return undefined;
  const name = draw.pick(bound);
  const node = scope.witnesses.get(name);
  if (node === undefined || stepsFrom(studio.graph, node).length === 0) return undefined;
  const endName = draw.maybe(0.4, () => draw.pick(bound));
  const endNode = endName === undefined ? undefined : scope.witnesses.get(endName);
  const end = endName === undefined || endNode === undefined ? undefined : { name: endName, node: endNode };
  const wish = {
    start: { name, node },
    plain,
    nameless: true as const,
    most: 2,
    ...(end && { end }),
  };
  const drawn = drawPath(studio, scope, wish);
  if (drawn.spec.hops.length === 0) return undefined;
  return drawn;
};

/** The body of EXISTS or COUNT. */
export const existsBody = (studio: Studio, scope: Scope): readonly ClauseSpec[] | undefined => {
  const { draw } = studio;
  const path = freshPath(studio, scope);
  if (path === undefined) return undefined;
  const where = draw.maybe(0.5, () => studio.expressions(studio, path.scope).truth(0));
  const match: ClauseSpec = { kind: "match", optional: false, paths: [path.spec], ...(where && { where }) };
  if (scope.withoutAggregates === true || draw.chance(0.85)) return [match];
  const count = draw.fresh("n");
  const many: Expr = {
    kind: "compare",
    first: { kind: "variable", name: count },
    rest: [
      { operator: draw.pick([">", ">=", "="]), expr: { kind: "literal", value: BigInt(draw.int(0, 2)) } },
    ],
  };
  const star: Expr = { kind: "aggregate", name: "count", distinct: false };
  return [
    match,
    {
      kind: "with",
      distinct: false,
      star: false,
      items: [{ expr: star, as: count }],
      order: [],
      where: many,
    },
  ];
};
