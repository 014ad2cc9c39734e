import type { AnalysisReport } from "../bindings/scope.ts";
import type { Expression, NodePattern } from "../cypher/ast.ts";
import { conjuncts } from "../cypher/conjuncts.ts";
import { usedNames } from "../cypher/names.ts";
import type { Match } from "./matches.ts";

/** A connected component: patterns of one MATCH that share names. */
export interface Component {
  readonly nodes: readonly NodePattern[];
  readonly names: ReadonlySet<string>;
  /** Offset of its first pattern. */
  readonly at: number;
  /** A pattern leads to it from something that is known before. */
  readonly isReachable: boolean;
  /** The external id of one of its nodes is given. */
  readonly hasExternalId: boolean;
  /** It has a hop, or a single node that is neither reachable nor given by its external id. */
  readonly hasSeveralMatches: boolean;
  /** An equality or a pattern in a predicate connects it to something else. */
  readonly isConnected: boolean;
}

/** The predicates that every match must fulfil. */
export const predicatesOf = ({ patterns, where }: Match): readonly Expression[] => [
  ...conjuncts(where),
  ...patterns.flatMap((path) => path.elements.flatMap((element) => conjuncts(element.where))),
];

/** Disjoint sets of names. */
class Groups {
  readonly #parent = new Map<string, string>();

  of(name: string): string {
    let at = name;
    for (let up = this.#parent.get(at); up !== undefined && up !== at; up = this.#parent.get(at)) at = up;
    return at;
  }

  join(a: string, b: string): void {
    const [first, second] = [this.of(a), this.of(b)];
    if (first !== second) this.#parent.set(second, first);
  }
}

const outside = "";

const isKey = (expression: Expression, report: AnalysisReport): string | undefined => {
  const path = report.paths.get(expression);
  return path?.kind === "node-path" &&
    path.root.kind === "variable" &&
    path.path.kind === "system" &&
    path.path.field === "external_id"
    ? path.root.name
    : undefined;
};

/** The sides of an equality or a membership. */
const sidesOf = (predicate: Expression): readonly [Expression, Expression] | undefined => {
  if (predicate.kind === "binary" && predicate.operator === "IN") return [predicate.left, predicate.right];
  if (predicate.kind !== "comparison") return undefined;
  const [step, ...more] = predicate.rest;
  return step !== undefined && more.length === 0 && step.operator === "="
    ? [predicate.first, step.operand]
    : undefined;
};

/** Names whose external id a predicate states. */
const pinnedBy = (predicate: Expression, report: AnalysisReport): readonly string[] => {
  const sides = sidesOf(predicate);
  if (sides === undefined) return [];
  const [left, right] = sides;
  return [
    [left, right],
    [right, left],
  ].flatMap(([side, other]) => {
    const name = side && isKey(side, report);
    return name !== undefined && other !== undefined && !usedNames(other).has(name) ? [name] : [];
  });
};

const tiedBy = (predicate: Expression): ReadonlySet<string> =>
  predicate.kind === "pattern-predicate" || predicate.kind === "exists" || sidesOf(predicate) !== undefined
    ? usedNames(predicate)
    : new Set();

/**
 * The components of one MATCH.
 *
 * @param pinned aliases whose external id a filter or the platform states.
 */
export const componentsOf = (
  match: Match,
  report: AnalysisReport,
  pinned: ReadonlySet<string>,
): readonly Component[] => {
  const groups = new Groups();
  for (const name of match.known) groups.join(outside, `n ${name}`);
  const keyOf = (path: number, name: string | undefined): string =>
    name === undefined ? `p ${path}` : `n ${name}`;
  match.patterns.forEach((path, index) => {
    for (const { variable } of path.elements) groups.join(keyOf(index, undefined), keyOf(index, variable));
  });
  const predicates = predicatesOf(match);
  const stated = new Set([...pinned, ...predicates.flatMap((predicate) => pinnedBy(predicate, report))]);

  const found = new Map<string, Found>();
  match.patterns.forEach((path, index) => {
    const group = groups.of(keyOf(index, undefined));
    const component = found.get(group) ?? { nodes: [], names: new Set(), hops: 0, at: path.at };
    for (const element of path.elements) {
      if (element.kind === "node") component.nodes.push(element);
      else component.hops += 1;
      if (element.variable !== undefined) component.names.add(element.variable);
    }
    found.set(group, component);
  });
  const entries = match.patterns.flatMap((path) =>
    path.elements.flatMap((element) =>
      (element.properties?.entries ?? []).map(
        ({ value }) =>
          new Set([...usedNames(value), ...(element.variable === undefined ? [] : [element.variable])]),
      ),
    ),
  );
  const ties = [...predicates.map(tiedBy), ...entries];
  return [...found].map(([group, { nodes, names, hops, at }]): Component => {
    const isReachable = group === groups.of(outside);
    const keyed = nodes.some(({ properties }) =>
      properties?.entries.some(({ key }) => key === "external_id"),
    );
    const hasExternalId = keyed || [...names].some((name) => stated.has(name));
    const isConnected = ties.some(
      (tie) =>
        [...tie].some((name) => names.has(name)) && [...tie].some((name) => isOther(name, names, match)),
    );
    return {
      nodes,
      names,
      at,
      isReachable,
      hasExternalId,
      hasSeveralMatches: hops > 0 || !(isReachable || hasExternalId),
      isConnected,
    };
  });
};

interface Found {
  readonly nodes: NodePattern[];
  readonly names: Set<string>;
  hops: number;
  readonly at: number;
}

/** True for a name of another component, or one that is known before; loop variables are neither. */
const isOther = (name: string, names: ReadonlySet<string>, { known, patterns }: Match): boolean =>
  !names.has(name) &&
  (known.has(name) || patterns.some((path) => path.elements.some(({ variable }) => variable === name)));
