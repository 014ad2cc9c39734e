import type { LabelExpression } from "../cypher/ast.ts";

/** What a name or expression stands for; decides how paths below it are read. */
export type Kind =
  | { readonly kind: "node"; readonly label?: string | undefined }
  | { readonly kind: "relationship" }
  | { readonly kind: "path" }
  | { readonly kind: "list"; readonly of: Kind }
  | { readonly kind: "value" }
  /** Could be anything: a map, a list element of mixed origin. */
  | { readonly kind: "unknown" };

export const value: Kind = { kind: "value" };
export const unknown: Kind = { kind: "unknown" };
export const relationship: Kind = { kind: "relationship" };
export const node: Kind = { kind: "node" };
export const list = (of: Kind): Kind => ({ kind: "list", of });

export const elementOf = (kind: Kind): Kind => (kind.kind === "list" ? kind.of : unknown);

/** The kind of an expression that yields one of several. */
export const common = (kinds: readonly Kind[]): Kind => {
  const [first, ...rest] = kinds;
  if (first === undefined) return unknown;
  return rest.every((each) => each.kind === first.kind) && first.kind !== "list" ? first : unknown;
};

/** The one plain label of a pattern, if it has exactly one. */
export const plainLabel = (label: LabelExpression | undefined): string | undefined =>
  label?.kind === "label" ? label.name : undefined;

/** The name of a function's result kind, where it is not a plain value. */
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
      return common(args);
    case "min":
    case "max":
      return first.kind === "value" ? value : unknown;
    default:
      return value;
  }
};

/** Functions that fold many rows into one. */
export const aggregates: ReadonlySet<string> = new Set([
  "count",
  "collect",
  "sum",
  "avg",
  "min",
  "max",
  "stdev",
  "stdevp",
  "percentilecont",
  "percentiledisc",
]);
