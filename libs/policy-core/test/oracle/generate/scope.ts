import type { Draw } from "./draw.ts";
import type { Expr, GraphSpec, NodeSpec } from "../model.ts";

/** What a name is bound to. A `bag` is a list without a dependable order: collected, or from a pattern. */
export type Kind =
  | "node"
  | "edge"
  | "edges"
  | "path"
  | "int"
  | "float"
  | "text"
  | "truth"
  | "ints"
  | "texts"
  | "int-bag"
  | "text-bag"
  | "node-bag";

/** The names in scope while a condition is drawn. */
export interface Scope {
  readonly names: ReadonlyMap<string, Kind>;
  /** Nodes of the graph that the names could stand for: patterns are drawn along them, so that they often match. */
  readonly witnesses: ReadonlyMap<string, NodeSpec>;
  /** Inside of an expression over a list or of an aggregate, where the server takes no aggregate, not even in a subquery. */
  readonly withoutAggregates?: true;
  /** Names that a WITH has dropped and that its own WHERE still sees. */
  readonly dropped?: ReadonlySet<string>;
}

/** Draws the expressions that a pattern may hold. */
export interface ExpressionMaker {
  int(depth: number): Expr;
  text(depth: number): Expr;
  truth(depth: number): Expr;
}

export interface Studio {
  readonly draw: Draw;
  /** Expressions hold patterns in turn, so the file of patterns cannot import that of expressions. */
  readonly expressions: (studio: Studio, scope: Scope) => ExpressionMaker;
  readonly graph: GraphSpec;
  /** Labels in use. */
  readonly labels: readonly string[];
  /** KBAC knows `$subject_external_id` and its likes, CIQ `$_appId`. */
  readonly kbac: boolean;
  /** Whether `CALL { }` may occur (3.0-kbac). */
  readonly calls: boolean;
  /** Types of the ends by name: no pattern may give them another label. */
  readonly types: ReadonlyMap<string, string>;
}

export const emptyScope: Scope = { names: new Map(), witnesses: new Map() };

export const withName = (scope: Scope, name: string, kind: Kind, witness?: NodeSpec): Scope => ({
  ...scope,
  names: new Map([...scope.names, [name, kind]]),
  witnesses: witness === undefined ? scope.witnesses : new Map([...scope.witnesses, [name, witness]]),
});

export const namesOfKind = (scope: Scope, ...kinds: readonly Kind[]): string[] =>
  [...scope.names].filter(([, kind]) => kinds.includes(kind)).map(([name]) => name);

/** Names that authors really use for aliases, some of them awkward. */
const aliases = [
  "w",
  "x",
  "who",
  "property",
  "node",
  "match",
  "type",
  "collect",
  "value",
  "where_",
  "End",
] as const;

/** A new name for an alias. */
export const newName = (studio: Studio, scope: Scope): string => {
  const { draw } = studio;
  const wanted = draw.pick(aliases);
  return draw.chance(0.4) && !scope.names.has(wanted) && scope.dropped?.has(wanted) !== true
    ? wanted
    : draw.fresh("v");
};
