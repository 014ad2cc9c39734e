import { omitUndefined } from "@ikg/contracts/values";
import type {
  Expression,
  MapEntry,
  MatchClause,
  NodePattern,
  PathPattern,
  RelationshipPattern,
} from "../cypher/ast.ts";
import { conjuncts, conjunction } from "../cypher/conjuncts.ts";
import { usedNames } from "../cypher/names.ts";

type Element = NodePattern | RelationshipPattern;

/** What a MATCH is made of, piece by piece; where a text has no row, one with more pieces has none. */
export type MatchItem =
  | { readonly kind: "node"; readonly path: PathPattern; readonly node: NodePattern }
  | {
      readonly kind: "hop";
      readonly path: PathPattern;
      readonly relationship: RelationshipPattern;
      readonly node: NodePattern;
    }
  | { readonly kind: "label"; readonly node: NodePattern }
  | { readonly kind: "entry"; readonly element: Element; readonly entry: MapEntry }
  | {
      readonly kind: "inline";
      readonly element: Element;
      readonly where: Expression;
      readonly index: number;
      readonly conjunct: Expression;
    }
  | {
      readonly kind: "where";
      readonly where: Expression;
      readonly index: number;
      readonly conjunct: Expression;
    };

type Predicate = Exclude<MatchItem, { kind: "node" | "hop" }>;

const predicatesOf = (element: Element, isHopEnd: boolean): readonly Predicate[] => [
  ...(element.kind === "node" && isHopEnd && element.label !== undefined
    ? [{ kind: "label" as const, node: element }]
    : []),
  ...(element.properties?.entries ?? []).map((entry): Predicate => ({ kind: "entry", element, entry })),
  ...inlineOf(element),
];

const inlineOf = (element: Element): readonly Predicate[] => {
  const { where } = element;
  if (where === undefined) return [];
  return conjuncts(where).map((conjunct, index) => ({ kind: "inline", element, where, index, conjunct }));
};

const readBy = (item: Predicate): ReadonlySet<string> => {
  switch (item.kind) {
    case "label":
      return new Set();
    case "entry":
      return usedNames(item.entry);
    case "inline":
    case "where":
      return usedNames(item.conjunct);
  }
};

/**
 * The pieces of a MATCH in the order in which they are explained: that of the text, patterns first and the WHERE
 * last. An inline predicate that reads a name of a later pattern waits until the name is bound.
 */
export const itemsOf = (clause: MatchClause): readonly MatchItem[] => {
  const items: MatchItem[] = [];
  const waiting: Predicate[] = [];
  const unbound = new Set(
    clause.patterns.flatMap((path) =>
      [path.variable, ...path.elements.map(({ variable }) => variable)].flatMap((name) => name ?? []),
    ),
  );
  const takeReady = (): void => {
    for (const item of waiting.splice(0)) {
      if ([...readBy(item)].some((name) => unbound.has(name))) waiting.push(item);
      else items.push(item);
    }
  };
  for (const path of clause.patterns) {
    let relationship: RelationshipPattern | undefined;
    for (const element of path.elements) {
      if (element.variable !== undefined) unbound.delete(element.variable);
      if (element.kind === "relationship") {
        relationship = element;
        continue;
      }
      items.push(
        relationship === undefined
          ? { kind: "node", path, node: element }
          : { kind: "hop", path, relationship, node: element },
      );
      if (relationship !== undefined) waiting.push(...predicatesOf(relationship, false));
      waiting.push(...predicatesOf(element, relationship !== undefined));
      takeReady();
    }
    if (path.variable !== undefined) unbound.delete(path.variable);
    takeReady();
  }
  const { where } = clause;
  if (where === undefined) return items;
  return [
    ...items,
    ...conjuncts(where).map((conjunct, index): MatchItem => ({ kind: "where", where, index, conjunct })),
  ];
};

/** A MATCH of some pieces of another, and for each of its node patterns the original. */
interface PartialMatch {
  readonly clause: MatchClause;
  readonly nodes: ReadonlyMap<NodePattern, NodePattern>;
}

/** Assembles a MATCH from pieces; undefined without a pattern among them. */
export const partialMatch = (clause: MatchClause, items: readonly MatchItem[]): PartialMatch | undefined => {
  const nodes = new Map<NodePattern, NodePattern>();
  const labels = new Set(items.flatMap((item) => (item.kind === "label" ? [item.node] : [])));
  const entries = new Set(items.flatMap((item) => (item.kind === "entry" ? [item.entry] : [])));
  const inline = new Set(items.flatMap((item) => (item.kind === "inline" ? [item.conjunct] : [])));
  const insides = (element: Element): Pick<Element, "properties" | "where"> => {
    const kept = element.properties?.entries.filter((entry) => entries.has(entry)) ?? [];
    return omitUndefined({
      properties:
        kept.length === 0 || element.properties === undefined
          ? undefined
          : { ...element.properties, entries: kept },
      where: conjunction(conjuncts(element.where).filter((conjunct) => inline.has(conjunct))),
    });
  };
  const node = (original: NodePattern, start: boolean): NodePattern => {
    const { kind, variable, label, at } = original;
    const kept = start || labels.has(original) ? label : undefined;
    const made: NodePattern = { kind, ...omitUndefined({ variable, label: kept }), ...insides(original), at };
    nodes.set(made, original);
    return made;
  };
  const relationship = (original: RelationshipPattern): RelationshipPattern => {
    const { kind, direction, variable, label, length, at } = original;
    return { kind, direction, ...omitUndefined({ variable, label, length }), ...insides(original), at };
  };
  const patterns = clause.patterns.flatMap((path): readonly PathPattern[] => {
    const elements = items.flatMap((item) => {
      if (item.kind === "node" && item.path === path) return [node(item.node, true)];
      if (item.kind === "hop" && item.path === path)
        return [relationship(item.relationship), node(item.node, false)];
      return [];
    });
    return elements.length === 0 ? [] : [{ ...path, elements }];
  });
  if (patterns.length === 0) return undefined;
  const where = conjunction(items.flatMap((item) => (item.kind === "where" ? [item.conjunct] : [])));
  const { kind, optional, at } = clause;
  return { clause: { kind, optional, patterns, ...omitUndefined({ where }), at }, nodes };
};
