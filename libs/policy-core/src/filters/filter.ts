import type { NodePath, RelationshipPath } from "../paths/path.ts";
import type { Reference } from "../values/reference.ts";
import type { LeafOperator } from "./leaf-operators.ts";

export const branchOperators = ["AND", "OR", "NOT"] as const;
export type BranchOperator = (typeof branchOperators)[number];

export type Scalar = string | number | boolean;

/** Texts that a refusal hands to the caller: usually `error` and `error_description`. */
export type Advice = Readonly<Record<string, string>>;

/** Something that a filter reads from a row: a graph path or a value bound by a WITH. */
export type RowPath =
  | { readonly kind: "node-path"; readonly path: NodePath }
  | { readonly kind: "relationship-path"; readonly path: RelationshipPath }
  | { readonly kind: "aggregate"; readonly name: string };

/** Either side of an operator. */
export type Operand =
  | { readonly kind: "literal"; readonly value: Scalar | readonly Scalar[] }
  | { readonly kind: "reference"; readonly reference: Reference }
  | RowPath;

export interface Leaf {
  readonly kind: "leaf";
  /** Its path in the JSON: `policy.condition.filter.operands[1]`. */
  readonly path: string;
  readonly operator: LeafOperator;
  /** A literal only where the policy has a `datetime` object on this side. */
  readonly attribute: Operand;
  /** Absent for IS NULL and IS NOT NULL alone. */
  readonly value: Operand | undefined;
  /** `instants` when either side is a `datetime` object: then both are read as instants. */
  readonly compares: "values" | "instants";
  readonly advice: Advice | undefined;
}

interface Branch {
  readonly kind: "branch";
  readonly path: string;
  readonly operator: BranchOperator;
  readonly operands: readonly Filter[];
  readonly advice: Advice | undefined;
}

export type Filter = Leaf | Branch;

/** The literal that a leaf compares with; undefined for anything that a request or a row brings. */
export const literalOf = ({ value }: Leaf): Scalar | readonly Scalar[] | undefined =>
  value?.kind === "literal" ? value.value : undefined;

/** Every leaf of a filter, in document order. */
export const leavesOf = (filter: Filter): readonly Leaf[] =>
  filter.kind === "leaf" ? [filter] : filter.operands.flatMap(leavesOf);

/** Filters that must all be true, each by itself. */
export const filterConjuncts = (filter: Filter): readonly Filter[] =>
  filter.kind === "branch" && filter.operator === "AND" ? filter.operands.flatMap(filterConjuncts) : [filter];

/** Leaves that must all be true; branches other than AND are left out. */
export const leafConjuncts = (filter: Filter): readonly Leaf[] =>
  filterConjuncts(filter).flatMap((conjunct) => (conjunct.kind === "leaf" ? [conjunct] : []));

/** True when a leaf reads the bearer token: such a leaf fails closed when none was sent. */
export const readsToken = (leaf: Leaf): boolean =>
  (leaf.attribute.kind === "reference" && leaf.attribute.reference.kind === "token") ||
  (leaf.value?.kind === "reference" && leaf.value.reference.kind === "token");
