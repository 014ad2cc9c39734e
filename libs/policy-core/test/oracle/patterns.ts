import type { HopElement, LabelSpec, NodeElement, PathSpec } from "./model.ts";
import { equals, type Truth, truthOf, type Value, type WorldEdge, type WorldNode } from "./values.ts";
import { nodeAttribute, type Row, type Setting } from "./setting.ts";

/** The platform's bound for `*` without one. */
const cappedLength = 10;

export const hasLabel = (labels: ReadonlySet<string>, label: LabelSpec): boolean => {
  switch (label.kind) {
    case "is":
      return labels.has(label.name);
    case "any-label":
      return labels.size > 0;
    case "no":
      return !hasLabel(labels, label.part);
    case "both":
      return label.parts.every((part) => hasLabel(labels, part));
    case "either":
      return label.parts.some((part) => hasLabel(labels, part));
  }
};

/** What was walked so far in one MATCH: relationships are used once in it. */
interface Walk {
  readonly row: Row;
  readonly used: readonly WorldEdge[];
}

/** A test that waits until every name of the MATCH is bound. */
type Later = (row: Row) => Truth;

const holds = (value: Value): boolean => truthOf(value) === true;

/** Nodes that may stand for an element. The ends of the request are pinned wherever their name becomes bound. */
const candidates = (element: NodeElement, row: Row, setting: Setting): readonly WorldNode[] => {
  const { variable, label } = element;
  const fits = (node: WorldNode): boolean => label === undefined || hasLabel(node.labels, label);
  if (variable !== undefined && row.has(variable)) {
    const bound = row.get(variable);
    return setting.world.nodes.filter((node) => node === bound && fits(node));
  }
  const pin = variable === undefined ? undefined : setting.pins.get(variable);
  const allowed = (node: WorldNode): boolean =>
    pin === undefined || (node.labels.has(pin.type) && (pin.id === undefined || node.externalId === pin.id));
  return setting.world.nodes.filter((node) => fits(node) && allowed(node));
};

const nodeTests = (element: NodeElement, node: WorldNode, setting: Setting): readonly Later[] => [
  // One plain label beside an external id names the node by its key, so that the label is its type; a
  // label that the node has besides its type finds nothing there.
  ...(element.label?.kind === "is" && element.map?.some(({ key }) => key === "external_id") === true
    ? [(): Truth => node.type === (element.label?.kind === "is" ? element.label.name : undefined)]
    : []),
  ...(element.map ?? []).map(({ key, value }): Later => {
    const system = key === "external_id" || key === "type" || key === "id";
    const held = nodeAttribute(node, system ? { to: "system", name: key } : { to: "property", name: key });
    return (row) => equals(held, setting.evaluate(value, row, setting));
  }),
  ...(element.where === undefined
    ? []
    : [(row: Row) => truthOf(setting.evaluate(element.where ?? never(), row, setting))]),
];

const never = (): never => {
  throw new Error("unreachable");
};

const edgeTests = (hop: HopElement, edge: WorldEdge, setting: Setting): readonly Later[] => [
  ...(hop.map ?? []).map(
    ({ key, value }): Later =>
      (row) =>
        equals(edge.properties.get(key) ?? null, setting.evaluate(value, row, setting)),
  ),
  ...(hop.where === undefined
    ? []
    : [(row: Row) => truthOf(setting.evaluate(hop.where ?? never(), row, setting))]),
];

/** Steps from a node over one relationship; a loop is one step whatever the direction. */
const steps = (
  from: WorldNode,
  hop: HopElement,
  setting: Setting,
): readonly (readonly [WorldEdge, WorldNode])[] =>
  setting.world.edges.flatMap((edge): (readonly [WorldEdge, WorldNode])[] => {
    if (hop.types !== undefined && !hasLabel(new Set([edge.type]), hop.types)) return [];
    const out = edge.source === from && hop.direction !== "in";
    const into = edge.target === from && hop.direction !== "out";
    if (out) return [[edge, edge.target]];
    return into ? [[edge, edge.source]] : [];
  });

interface Trail {
  readonly edges: readonly WorldEdge[];
  readonly nodes: readonly WorldNode[];
}

/** Every way along one hop, single or of variable length, over relationships that are not used yet. */
const trails = (
  from: WorldNode,
  hop: HopElement,
  used: readonly WorldEdge[],
  setting: Setting,
): readonly Trail[] => {
  const { length } = hop;
  const min = length === undefined ? 1 : (length.min ?? 1);
  const max = length === undefined ? 1 : (length.max ?? Math.max(cappedLength, min));
  const found: Trail[] = [];
  const walk = (at: WorldNode, trail: Trail): void => {
    setting.spend();
    if (trail.edges.length >= min) found.push(trail);
    if (trail.edges.length === max) return;
    for (const [edge, node] of steps(at, hop, setting)) {
      if (used.includes(edge) || trail.edges.includes(edge)) continue;
      walk(node, { edges: [...trail.edges, edge], nodes: [...trail.nodes, node] });
    }
  };
  if (max >= min) walk(from, { edges: [], nodes: [] });
  return found;
};

const bind = (row: Row, name: string | undefined, value: Value): Row =>
  name === undefined ? row : new Map([...row, [name, value]]);

/** Matches of one path after another. A hop's variable is new: a bound relationship is not matched again. */
const matchPath = (
  path: PathSpec,
  walk: Walk,
  setting: Setting,
  done: (walk: Walk, tests: readonly Later[]) => void,
): void => {
  const onward = (
    index: number,
    at: Walk,
    nodes: readonly WorldNode[],
    edges: readonly WorldEdge[],
    tests: readonly Later[],
  ): void => {
    const next = path.hops[index];
    const here = nodes.at(-1);
    if (next === undefined || here === undefined) {
      const row = bind(at.row, path.variable, { element: "path", nodes, edges });
      return done({ ...at, row }, tests);
    }
    const { hop, node } = next;
    for (const trail of trails(here, hop, at.used, setting)) {
      const end = trail.nodes.at(-1) ?? here;
      const value = hop.length === undefined ? (trail.edges[0] ?? null) : trail.edges;
      const row = bind(at.row, hop.variable, value);
      if (!candidates(node, row, setting).includes(end)) continue;
      onward(
        index + 1,
        { row: bind(row, node.variable, end), used: [...at.used, ...trail.edges] },
        [...nodes, ...(trail.nodes.length === 0 ? [] : trail.nodes)],
        [...edges, ...trail.edges],
        [
          ...tests,
          ...trail.edges.flatMap((edge) => edgeTests(hop, edge, setting)),
          ...nodeTests(node, end, setting),
        ],
      );
    }
  };
  for (const node of candidates(path.start, walk.row, setting)) {
    setting.spend();
    const at = { ...walk, row: bind(walk.row, path.start.variable, node) };
    onward(0, at, [node], [], nodeTests(path.start, node, setting));
  }
};

/** The rows that a MATCH of these paths makes of one row. */
export const matchAll = (paths: readonly PathSpec[], row: Row, setting: Setting): readonly Row[] => {
  const found: Row[] = [];
  const next = (index: number, walk: Walk, tests: readonly Later[]): void => {
    const path = paths[index];
    if (path !== undefined)
      return matchPath(path, walk, setting, (after, more) => next(index + 1, after, [...tests, ...more]));
    setting.spend();
    if (tests.every((test) => holds(test(walk.row)))) found.push(walk.row);
  };
  next(0, { row, used: [] }, []);
  return found;
};

/** The names that a MATCH binds. */
export const namesOf = (paths: readonly PathSpec[]): readonly string[] =>
  paths.flatMap((path) => [
    ...(path.variable === undefined ? [] : [path.variable]),
    ...[path.start, ...path.hops.flatMap(({ hop, node }) => [hop, node])].flatMap(({ variable }) =>
      variable === undefined ? [] : [variable],
    ),
  ]);
