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

/** A part of a MATCH. Where a text has no row, one with more parts has none. */
export type MatchPart =
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

type Predicate = Exclude<MatchPart, { kind: "node" | "hop" }>;

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

const readBy = (part: Predicate): ReadonlySet<string> => {
  switch (part.kind) {
    case "label":
      return new Set();
    case "entry":
      return usedNames(part.entry);
    case "inline":
    case "where":
      return usedNames(part.conjunct);
  }
};

/**
 * The parts of a MATCH in the order in which they are explained: that of the text, patterns first and the WHERE
 * last. An inline predicate that reads a name of a later pattern waits until the name is bound.
 */
export const partsOfMatch = (clause: MatchClause): readonly MatchPart[] => {
  const parts: MatchPart[] = [];
  const waiting: Predicate[] = [];
  const unbound = new Set(
    clause.patterns.flatMap((path) =>
      [path.variable, ...path.elements.map(({ variable }) => variable)].flatMap((name) => name ?? []),
    ),
  );
  const takeReady = (): void => {
    for (const part of waiting.splice(0)) {
      if ([...readBy(part)].some((name) => unbound.has(name))) waiting.push(part);
      else parts.push(part);
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
      parts.push(
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
  if (where === undefined) return parts;
  return [
    ...parts,
    ...conjuncts(where).map((conjunct, index): MatchPart => ({ kind: "where", where, index, conjunct })),
  ];
};

/** A MATCH of some parts of another, and for each of its node patterns the original. */
interface PartialMatch {
  readonly clause: MatchClause;
  readonly nodes: ReadonlyMap<NodePattern, NodePattern>;
}

/** Assembles a MATCH from parts; undefined without a pattern among them. */
export const partialMatch = (clause: MatchClause, parts: readonly MatchPart[]): PartialMatch | undefined => {
  const nodes = new Map<NodePattern, NodePattern>();
  const labels = new Set(parts.flatMap((part) => (part.kind === "label" ? [part.node] : [])));
  const entries = new Set(parts.flatMap((part) => (part.kind === "entry" ? [part.entry] : [])));
  const inline = new Set(parts.flatMap((part) => (part.kind === "inline" ? [part.conjunct] : [])));
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
    const elements = parts.flatMap((part) => {
      if (part.kind === "node" && part.path === path) return [node(part.node, true)];
      if (part.kind === "hop" && part.path === path)
        return [relationship(part.relationship), node(part.node, false)];
      return [];
    });
    return elements.length === 0 ? [] : [{ ...path, elements }];
  });
  if (patterns.length === 0) return undefined;
  const where = conjunction(parts.flatMap((part) => (part.kind === "where" ? [part.conjunct] : [])));
  const { kind, optional, at } = clause;
  return { clause: { kind, optional, patterns, ...omitUndefined({ where }), at }, nodes };
};
