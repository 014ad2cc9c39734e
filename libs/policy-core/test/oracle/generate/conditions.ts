import type { ClauseSpec, Expr, ItemSpec, NodeSpec } from "../model.ts";
import { Expressions } from "./expressions.ts";
import { drawPath } from "./patterns.ts";
import { emptyScope, type Kind, namesOfKind, newName, type Scope, type Studio, withName } from "./scope.ts";

/** The names that a condition must bind, with the nodes that they are drawn along. */
export interface Ends {
  /** Node by name: `subject`, for KBAC `resource` too. */
  readonly nodes: ReadonlyMap<string, NodeSpec>;
  /** SKIP and LIMIT may occur. Not where an order by id would leave ties. */
  readonly cuts: boolean;
}

export interface Condition {
  readonly clauses: readonly ClauseSpec[];
  readonly scope: Scope;
}

const variable = (name: string): Expr => ({ kind: "variable", name });

const someNode = ({ draw, graph }: Studio): NodeSpec => draw.pick(graph.nodes);

const where = (studio: Studio, scope: Scope, share: number): { where?: Expr } => {
  const drawn = studio.draw.maybe(share, () => new Expressions(studio, scope).truth(studio.draw.int(0, 2)));
  return drawn === undefined ? {} : { where: drawn };
};

/** A MATCH that binds the ends named in `wanted`, as one path or as several. */
const bindEnds = (studio: Studio, before: Scope, ends: Ends, wanted: readonly string[]): Condition => {
  const { draw } = studio;
  let scope = before;
  const paths = [];
  const open = [...wanted];
  while (open.length > 0) {
    const name = open.shift() ?? "";
    const node = ends.nodes.get(name);
    if (node === undefined) throw new Error(`no end ${name}`);
    const other = [...ends.nodes].find(
      ([each]) => each !== name && (scope.names.has(each) || open.includes(each)),
    );
    const linked = other !== undefined && draw.chance(0.75);
    const end = linked ? { name: other[0], node: other[1] } : undefined;
    const alone = !linked && draw.chance(0.4);
    const path = drawPath(studio, scope, {
      start: { name, node },
      plain: false,
      most: alone ? 0 : 3,
      ...(end && { end }),
    });
    scope = path.scope;
    paths.push(path.spec);
    if (end !== undefined && scope.names.has(end.name))
      open.splice(0, open.length, ...open.filter((each) => each !== end.name));
  }
  if (draw.chance(0.12)) {
    const extra = drawPath(studio, scope, { start: startAt(studio, scope), plain: false, most: 2 });
    scope = extra.scope;
    paths.push(extra.spec);
  }
  return { clauses: [{ kind: "match", optional: false, paths, ...where(studio, scope, 0.65) }], scope };
};

const startAt = (studio: Studio, scope: Scope): { name: string | undefined; node: NodeSpec } => {
  const bound = [...scope.witnesses].filter(([name]) => scope.names.get(name) === "node");
  if (bound.length === 0 || studio.draw.chance(0.2)) return { name: undefined, node: someNode(studio) };
  const [name, node] = studio.draw.pick(bound);
  return { name, node };
};

/** One more MATCH or OPTIONAL MATCH from what is bound. */
const moreMatch = (studio: Studio, scope: Scope, optional: boolean): Condition => {
  const start = startAt(studio, scope);
  const path = drawPath(studio, scope, { start, plain: false, most: 2 });
  const clause: ClauseSpec = {
    kind: "match",
    optional,
    paths: [path.spec],
    ...where(studio, path.scope, optional ? 0.4 : 0.3),
  };
  return { clauses: [clause], scope: path.scope };
};

const unwind = (studio: Studio, scope: Scope): Condition => {
  const { draw } = studio;
  const as = newName(studio, scope);
  const expressions = new Expressions(studio, scope);
  const [list, kind] = draw.among<readonly [Expr, Kind]>([
    [2, () => [expressions.ints(1), "int"]],
    [2, () => [expressions.texts(1), "text"]],
    ...namesOfKind(scope, "node-bag")
      .slice(0, 1)
      .map((name): [number, () => readonly [Expr, Kind]] => [3, () => [variable(name), "node"]]),
  ]);
  return { clauses: [{ kind: "unwind", list, as }], scope: withName(scope, as, kind) };
};

const aggregate = (studio: Studio, scope: Scope): readonly [Expr, Kind] => {
  const { draw } = studio;
  const expressions = new Expressions(studio, { ...scope, withoutAggregates: true });
  const distinct = draw.chance(0.3);
  const nodes = namesOfKind(scope, "node");
  const over = (name: "collect" | "count" | "sum" | "min" | "max" | "avg", arg?: Expr): Expr => ({
    kind: "aggregate",
    name,
    distinct: arg !== undefined && distinct,
    ...(arg && { arg }),
  });
  const countOf = (): Expr =>
    draw.chance(0.3)
      ? over("count")
      : over("count", nodes.length > 0 && draw.chance(0.7) ? variable(draw.pick(nodes)) : expressions.int(0));
  return draw.among<readonly [Expr, Kind]>([
    [4, () => [countOf(), "int"]],
    [1, () => [over("sum", expressions.int(1)), "int"]],
    [1, () => [over(draw.pick(["min", "max"]), expressions.int(0)), "int"]],
    [1, () => [over(draw.pick(["min", "max"]), expressions.text(0)), "text"]],
    [1, () => [over("avg", expressions.int(0)), "float"]],
    [nodes.length > 0 ? 2 : 0, () => [over("collect", variable(draw.pick(nodes))), "node-bag"]],
    [1, () => [over("collect", expressions.int(0)), "int-bag"]],
    [2, () => [over("collect", expressions.text(0)), "text-bag"]],
    [
      1,
      () => [
        { kind: "arithmetic", operator: "+", left: countOf(), right: { kind: "literal", value: 1n } },
        "int",
      ],
    ],
    [
      1,
      () => [
        {
          kind: "arithmetic",
          operator: "+",
          left: countOf(),
          right: { kind: "reference", name: "i", path: [] },
        },
        "int",
      ],
    ],
    [
      1,
      () => [
        {
          kind: "compare",
          first: countOf(),
          rest: [{ operator: ">=", expr: { kind: "reference", name: "j", path: [] } }],
        },
        "truth",
      ],
    ],
  ]);
};

const computed = (studio: Studio, scope: Scope): readonly [Expr, Kind] => {
  const expressions = new Expressions(studio, scope);
  return studio.draw.among<readonly [Expr, Kind]>([
    [3, () => [expressions.int(1), "int"]],
    [3, () => [expressions.text(1), "text"]],
    [2, () => [expressions.truthValue(1), "truth"]],
    [1, () => [expressions.ints(1), "ints"]],
    [1, () => [expressions.texts(1), "texts"]],
  ]);
};

/** Kinds that DISTINCT, grouping and sorting take: a bag's order would decide. */
const keys: ReadonlySet<Kind> = new Set(["node", "edge", "int", "text", "truth", "float"]);

/** How to sort by a name so that no two different rows tie. */
const sortKey = (name: string, kind: Kind): Expr => {
  if (kind === "node") return { kind: "node-path", of: variable(name), step: { to: "system", name: "id" } };
  return kind === "edge" ? { kind: "edge-path", of: variable(name), name: "w" } : variable(name);
};

/** A WITH that keeps the ends; what it does with the rest is drawn. */
const withClause = (studio: Studio, scope: Scope, ends: Ends): Condition => {
  const { draw } = studio;
  if (draw.chance(0.12)) {
    const clause: ClauseSpec = {
      kind: "with",
      distinct: false,
      star: true,
      items: [],
      order: [],
      ...where(studio, scope, 0.7),
    };
    return { clauses: [clause], scope };
  }
  const grouping = draw.chance(0.45);
  const cut = ends.cuts && draw.chance(0.2);
  const distinct = !grouping && draw.chance(0.3);
  const kept = [...scope.names].filter(
    ([name, kind]) =>
      ends.nodes.has(name) || ((grouping || distinct || cut ? keys.has(kind) : true) && draw.chance(0.5)),
  );
  const items: { item: ItemSpec; kind: Kind; witness?: NodeSpec }[] = kept.map(([name, kind]) => {
    const witness = scope.witnesses.get(name);
    const as = ends.nodes.has(name) || draw.chance(0.85) ? name : newName(studio, scope);
    return { item: { expr: variable(name), as }, kind, ...(witness && { witness }) };
  });
  const add = ([expr, kind]: readonly [Expr, Kind]): void => {
    if ((distinct || cut) && !keys.has(kind)) return;
    const taken = new Set([...scope.names.keys(), ...items.map(({ item }) => item.as)]);
    const as = draw.chance(0.3) && !taken.has("total") ? "total" : draw.fresh("v");
    items.push({ item: { expr, as }, kind });
  };
  if (grouping) for (let left = draw.int(1, 2); left > 0; left--) add(aggregate(studio, scope));
  else if (draw.chance(0.6)) add(computed(studio, scope));
  const names = new Set(items.map(({ item }) => item.as));
  if (items.length === 0 || names.size < items.length) add([{ kind: "literal", value: 1n }, "int"]);
  const unique = [...new Map(items.map((each) => [each.item.as, each])).values()];
  const after = unique.reduce<Scope>(
    (next, { item, kind, witness }) => withName(next, item.as, kind, witness),
    {
      names: new Map(),
      witnesses: new Map(),
    },
  );
  const clause: ClauseSpec = {
    kind: "with",
    distinct,
    star: false,
    items: unique.map(({ item }) => item),
    order: cut
      ? unique.map(({ item, kind }) => ({ expr: sortKey(item.as, kind), descending: draw.chance(0.3) }))
      : [],
    ...(cut ? cutting(studio) : {}),
    ...where(studio, { ...after, dropped: new Set(scope.names.keys()) }, 0.5),
  };
  return { clauses: [clause], scope: after };
};

const cutting = ({ draw }: Studio): { skip?: Expr; limit?: Expr } => {
  const limit: Expr = draw.chance(0.3)
    ? { kind: "reference", name: "count", path: [] }
    : { kind: "literal", value: BigInt(draw.int(1, 3)) };
  const skip = draw.maybe(0.2, (): Expr => ({ kind: "literal", value: BigInt(draw.int(0, 1)) }));
  return { ...(skip && { skip }), limit };
};

/** A CALL that finds more from what it imports, or for itself; its names must be new outside. */
const moreCall = (studio: Studio, scope: Scope): Condition => {
  const { draw } = studio;
  const start = startAt(studio, scope);
  const imports = start.name !== undefined && draw.chance(0.8) ? [start.name] : [];
  const before: Scope = {
    names: new Map(imports.map((name) => [name, "node"])),
    witnesses: new Map(imports.map((name) => [name, start.node])),
    dropped: new Set(scope.names.keys()),
  };
  const path = drawPath(studio, before, { start, plain: false, most: 2 });
  const match: ClauseSpec = {
    kind: "match",
    optional: draw.chance(0.15),
    paths: [path.spec],
    ...where(studio, path.scope, 0.4),
  };
  const found = [...path.scope.names].find(([name, kind]) => !scope.names.has(name) && keys.has(kind));
  const as = draw.fresh("v");
  const [item, kind, witness] = draw.among<readonly [ItemSpec, Kind, NodeSpec | undefined]>([
    [
      found === undefined ? 0 : 2,
      () => {
        const [name, of] = found ?? ["", "node"];
        return [{ expr: variable(name), as: name }, of, path.scope.witnesses.get(name)];
      },
    ],
    [
      1,
      () => {
        const [expr, of] = aggregate(studio, path.scope);
        return [{ expr, as }, of, undefined];
      },
    ],
    [
      1,
      () => {
        const [expr, of] = computed(studio, path.scope);
        return [{ expr, as }, of, undefined];
      },
    ],
  ]);
  const clause: ClauseSpec = {
    kind: "subquery",
    listed: draw.chance(0.6),
    imports: imports.map((name) => ({ kind: "variable", name })),
    body: [match],
    items: [item],
  };
  return { clauses: [clause], scope: withName(scope, item.as, kind, witness) };
};

/** A CALL that binds ends and hands them out. */
const callEnds = (studio: Studio, scope: Scope, ends: Ends, wanted: readonly string[]): Condition => {
  const inside = bindEnds(studio, { ...emptyScope, dropped: new Set(scope.names.keys()) }, ends, wanted);
  const items = wanted.map((name): ItemSpec => ({ expr: variable(name), as: name }));
  const listed = studio.draw.chance(0.5);
  const clause: ClauseSpec = { kind: "subquery", listed, imports: [], body: inside.clauses, items };
  const after = wanted.reduce((next, name) => withName(next, name, "node", ends.nodes.get(name)), scope);
  return { clauses: [clause], scope: after };
};

/** A condition that binds the ends and keeps them, in one of the shapes that real policies have. */
export const condition = (studio: Studio, ends: Ends): Condition => {
  const { draw } = studio;
  let scope: Scope = { names: new Map(), witnesses: new Map() };
  const clauses: ClauseSpec[] = [];
  const step = (next: Condition): void => {
    clauses.push(...next.clauses);
    scope = next.scope;
  };
  const missing = (): string[] => [...ends.nodes.keys()].filter((name) => !scope.names.has(name));
  const extra = (share: number): void => {
    if (!draw.chance(share)) return;
    step(
      draw.among([
        [2, () => moreMatch(studio, scope, true)],
        [2, () => moreMatch(studio, scope, false)],
        [4, () => withClause(studio, scope, ends)],
        [1, () => unwind(studio, scope)],
        [studio.calls ? 5 : 0, () => moreCall(studio, scope)],
      ]),
    );
  };
  if (draw.chance(0.06)) step(unwind(studio, scope));
  const names = missing();
  const [first] = names;
  if (first !== undefined && names.length > 1 && draw.chance(0.4)) {
    const start = draw.chance(0.7) ? first : draw.pick(names);
    step(bindEnds(studio, scope, ends, [start]));
    extra(0.5);
  }
  const bind = studio.calls && draw.chance(0.4) ? callEnds : bindEnds;
  if (missing().length > 0) step(bind(studio, scope, ends, missing()));
  extra(0.4);
  extra(0.2);
  return { clauses, scope };
};
