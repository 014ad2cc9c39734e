import type { Node, NodeKind, NodeOf } from "./ast.ts";

/** How many nodes a field holds. */
type Occurrence<Value> = Value extends readonly Node[]
  ? "many"
  : undefined extends Value
    ? "optional"
    : "one";

/** Every field of a node that holds nodes, and no other. */
type ChildFields<N extends Node> = {
  readonly [
    Field in keyof N as NonNullable<N[Field]> extends Node | readonly Node[] ? Field : never
  ]-?: Occurrence<N[Field]>;
};

/**
 * The children of each kind of node, in the order of the text. Walking, mapping and printing all go by this table;
 * its type refuses a kind or a field that is missing.
 */
const children: { readonly [Kind in NodeKind]: ChildFields<NodeOf<Kind>> } = {
  query: { clauses: "many" },
  match: { patterns: "many", where: "optional" },
  with: { items: "many", orderBy: "many", skip: "optional", limit: "optional", where: "optional" },
  return: { items: "many", orderBy: "many", skip: "optional", limit: "optional" },
  unwind: { expression: "one" },
  use: { argument: "one" },
  call: { body: "one" },
  item: { expression: "one" },
  sort: { expression: "one" },
  path: { elements: "many" },
  node: { label: "optional", properties: "optional", where: "optional" },
  relationship: { label: "optional", properties: "optional", where: "optional" },
  label: {},
  "label-and": { parts: "many" },
  "label-or": { parts: "many" },
  "label-not": { part: "one" },
  "label-any": {},
  string: {},
  integer: {},
  float: {},
  boolean: {},
  null: {},
  list: { items: "many" },
  map: { entries: "many" },
  entry: { value: "one" },
  parameter: {},
  variable: {},
  property: { target: "one" },
  index: { target: "one", index: "one" },
  slice: { target: "one", from: "optional", to: "optional" },
  unary: { operand: "one" },
  binary: { left: "one", right: "one" },
  comparison: { first: "one", rest: "many" },
  step: { operand: "one" },
  "is-null": { operand: "one" },
  "label-test": { target: "one", label: "one" },
  function: { args: "many" },
  case: { subject: "optional", alternatives: "many", otherwise: "optional" },
  alternative: { when: "many", then: "one" },
  "list-comprehension": { list: "one", where: "optional", result: "optional" },
  "pattern-comprehension": { pattern: "one", where: "optional", result: "one" },
  quantifier: { list: "one", where: "one" },
  reduce: { initial: "one", list: "one", result: "one" },
  exists: { body: "one" },
  count: { body: "one" },
  "pattern-body": { patterns: "many", where: "optional" },
  "pattern-predicate": { pattern: "one" },
};

/** The children of a node under their fields, each made a `T`: absent where the node has none. */
export type Children<Kind extends NodeKind, T> = {
  readonly [Field in keyof ChildFields<NodeOf<Kind>>]: ChildFields<NodeOf<Kind>>[Field] extends "many"
    ? readonly T[]
    : ChildFields<NodeOf<Kind>>[Field] extends "optional"
      ? T | undefined
      : T;
};

// The keys of the table are the kinds.
const fields = Object.fromEntries(
  Object.entries(children).map(([kind, own]) => [kind, Object.keys(own)]),
) as unknown as Readonly<Record<NodeKind, readonly string[]>>;

type Child = Node | readonly Node[] | undefined;

/** The names of the fields of a kind that hold nodes. */
export const childFields = (kind: NodeKind): readonly string[] => fields[kind];

/** What a field of `childFields` holds. */
export const childAt = (node: Node, field: string): Child =>
  // The table names fields of its kind that hold nodes, and no other.
  (node as unknown as Readonly<Record<string, Child>>)[field];

/** True for a field that holds one node, false for one that holds several. */
export const isNode = (child: Node | readonly Node[]): child is Node => !Array.isArray(child);
