import { systemTypes } from "@ikg/physical";
import type { LabelExpression } from "../cypher/ast.ts";
import { typePattern } from "../json.ts";

/**
 * The kind of value of a name or expression; it decides how paths below it are read. A node or relationship never
 * has another kind: its stored properties are reached by paths of the language alone.
 */
export type Kind =
  | { readonly kind: "node"; readonly label?: string | undefined }
  | { readonly kind: "relationship" }
  | { readonly kind: "path" }
  | { readonly kind: "list"; readonly of: Kind }
  | { readonly kind: "map"; readonly entries: ReadonlyMap<string, Kind> }
  | { readonly kind: "value" }
  /** Data: a claim, a parameter, or a value computed from them. */
  | { readonly kind: "unknown" }
  /** Of several origins, one of them a node, relationship or path. */
  | { readonly kind: "mixed" };

export const value: Kind = { kind: "value" };
export const unknown: Kind = { kind: "unknown" };
export const mixedKind: Kind = { kind: "mixed" };
export const relationship: Kind = { kind: "relationship" };
export const node: Kind = { kind: "node" };
export const list = (of: Kind): Kind => ({ kind: "list", of });

export const elementOf = (kind: Kind): Kind =>
  kind.kind === "list" ? kind.of : holdsGraph(kind) ? mixedKind : unknown;

/** True when a node, relationship or path may be in it. */
export const holdsGraph = (kind: Kind): boolean => {
  switch (kind.kind) {
    case "node":
    case "relationship":
    case "path":
    case "mixed":
      return true;
    case "list":
      return holdsGraph(kind.of);
    case "map":
      return [...kind.entries.values()].some(holdsGraph);
    case "value":
    case "unknown":
      return false;
  }
};

/** The kind of an expression that yields one of several. */
export const joinKinds = (kinds: readonly Kind[]): Kind => {
  const [first, ...rest] = kinds;
  if (first === undefined) return unknown;
  if (first.kind === "list" && rest.every((each) => each.kind === "list")) {
    return list(joinKinds(kinds.map(elementOf)));
  }
  if (first.kind !== "map" && rest.every((each) => each.kind === first.kind)) {
    // Two labels make a node of either.
    return first.kind === "node" && rest.some((each) => each.kind === "node" && each.label !== first.label)
      ? node
      : first;
  }
  return kinds.some(holdsGraph) ? mixedKind : unknown;
};

/** A member of a map, or what any of them could be when the key is not known beforehand. */
export const memberKind = (kind: Kind, key?: string): Kind => {
  if (kind.kind !== "map") return holdsGraph(kind) ? mixedKind : unknown;
  return key === undefined ? joinKinds([...kind.entries.values()]) : (kind.entries.get(key) ?? unknown);
};

/** The one plain label of a pattern, if it has exactly one. */
export const plainLabel = (label: LabelExpression | undefined): string | undefined =>
  label?.kind === "label" ? label.name : undefined;

/** Kind of what a relationship pattern binds. */
export const relationshipKind = (variableLength: boolean): Kind =>
  variableLength ? list(relationship) : relationship;

/** Kind of what a node pattern binds. */
export const nodeKind = (label: string | undefined): Kind =>
  label === undefined ? node : { kind: "node", label };

/** The kind of a function's result. */
export const functionKind = (name: string, args: readonly Kind[]): Kind => {
  const first = args[0] ?? unknown;
  switch (name) {
    case "startnode":
    case "endnode":
      return node;
    case "nodes":
      return list(node);
    case "relationships":
      return list(relationship);
    case "collect":
      return list(first);
    case "head":
    case "last":
      return elementOf(first);
    case "tail":
    case "reverse":
      return first;
    case "coalesce":
      return joinKinds(args);
    case "nullif":
      return first;
    case "min":
    case "max":
      return holdsGraph(first) ? mixedKind : first;
    default:
      return value;
  }
};

const readable: ReadonlySet<string> = new Set(Object.values(systemTypes));

/** True for node types of callers, and for those of the platform that a policy may read. */
export const isNodeType = (name: string): boolean =>
  name.startsWith("_") ? readable.has(name) : typePattern.test(name);

/** What a name is bound to. */
export interface Binding {
  readonly kind: Kind;
  /** Bound by an OPTIONAL MATCH alone: null in rows without a match. */
  readonly isOptional: boolean;
  /** Bound by a pattern of a MATCH, not by AS or UNWIND. */
  readonly isFromPattern: boolean;
}
