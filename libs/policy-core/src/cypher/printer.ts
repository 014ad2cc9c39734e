import type {
  CallClause,
  LabelExpression,
  Node,
  NodeKind,
  NodeOf,
  NodePattern,
  PathLength,
  RelationshipPattern,
  WithClause,
} from "./ast.ts";
import { childAt, childFields, isNode, type Children } from "./children.ts";
import { printFloat, printName, printString, printVariable } from "./print-tokens.ts";
import { continuesChain } from "./depth.ts";

/** How one kind of node is written, with its children in print already. */
type Syntax<Kind extends NodeKind> = (node: NodeOf<Kind>, children: Children<Kind, string>) => string;

const optional = (keyword: string, printed: string | undefined): string =>
  printed === undefined ? "" : ` ${keyword} ${printed}`;

const commas = (printed: readonly string[]): string => printed.join(", ");

type ProjectionParts = Pick<Children<"with", string>, "items" | "orderBy" | "skip" | "limit">;

const printProjection = (
  { distinct, star }: Pick<WithClause, "distinct" | "star">,
  { items, orderBy, skip, limit }: ProjectionParts,
): string => {
  const columns = commas(star ? ["*", ...items] : items);
  const order = orderBy.length === 0 ? undefined : commas(orderBy);
  return `${distinct ? "DISTINCT " : ""}${columns}${optional("ORDER BY", order)}${optional("SKIP", skip)}${optional("LIMIT", limit)}`;
};

const printImports = (imports: CallClause["imports"]): string => {
  if (imports === "importing-with") return "";
  return imports === "all" ? "(*) " : `(${commas(imports.map(printVariable))}) `;
};

const printLength = (length: PathLength | undefined): string => {
  if (length === undefined) return "";
  const { min, max } = length;
  if (min === undefined && max === undefined) return "*";
  return min === max ? `*${min}` : `*${min ?? ""}..${max ?? ""}`;
};

/** What stands between the brackets of a node or a relationship. */
const printDetails = (
  { variable }: NodePattern | RelationshipPattern,
  length: string,
  { label, properties, where }: Children<"node", string>,
): string => {
  const name = variable === undefined ? "" : printVariable(variable);
  const parts = [`${name}${label === undefined ? "" : `:${label}`}${length}`];
  if (properties !== undefined) parts.push(properties);
  if (where !== undefined) parts.push(`WHERE ${where}`);
  return parts.filter((part) => part !== "").join(" ");
};

const printRelationship: Syntax<"relationship"> = (node, children) => {
  const details = printDetails(node, printLength(node.length), children);
  const left = node.direction === "in" ? "<-" : "-";
  return `${left}${details === "" ? "" : `[${details}]`}${node.direction === "out" ? "->" : "-"}`;
};

/** A part of a label expression: in parentheses where it has an operator of its own. */
const labelPart = (label: LabelExpression | undefined, printed: string): string =>
  label?.kind === "label-and" || label?.kind === "label-or" ? `(${printed})` : printed;

const labelParts = (
  labels: readonly LabelExpression[],
  parts: readonly string[],
  operator: "&" | "|",
): string => parts.map((printed, index) => labelPart(labels[index], printed)).join(operator);

/** Kinds to which `.key`, `[i]` and `:Label` can be added as they are. */
const closed: ReadonlySet<NodeKind> = new Set([
  ...(["variable", "parameter", "property", "index", "slice", "function", "list", "map"] as const),
  ...(["unary", "binary", "comparison", "is-null", "label-test"] as const),
]);

const printTarget = (target: Node, printed: string): string =>
  closed.has(target.kind) ? printed : `(${printed})`;

/** A chain of one truth operator is printed flat: the database takes very deep parentheses badly. */
const printBinary: Syntax<"binary"> = (node, { left, right }) =>
  `(${continuesChain(node, node.left) ? left.slice(1, -1) : left} ${node.operator} ${right})`;

const printFunction: Syntax<"function"> = (node, { args }) => {
  const name = node.name.split(".").map(printName).join(".");
  return `${name}(${node.distinct ? "DISTINCT " : ""}${node.star ? "*" : commas(args)})`;
};

const printCase: Syntax<"case"> = (_, { subject, alternatives, otherwise }) =>
  [
    "CASE",
    ...(subject === undefined ? [] : [subject]),
    ...alternatives,
    ...(otherwise === undefined ? [] : [`ELSE ${otherwise}`]),
    "END",
  ].join(" ");

const whereClause = (where: string | undefined): string => optional("WHERE", where);
const barClause = (result: string | undefined): string => optional("|", result);

/** Every operator in parentheses of its own, so that no precedence decides about the meaning. */
const syntax: { readonly [Kind in NodeKind]: Syntax<Kind> } = {
  query: (_, { clauses }) => clauses.join(" "),
  match: (node, { patterns, where }) =>
    `${node.optional ? "OPTIONAL MATCH" : "MATCH"} ${commas(patterns)}${whereClause(where)}`,
  with: (node, children) => `WITH ${printProjection(node, children)}${whereClause(children.where)}`,
  return: (node, children) => `RETURN ${printProjection(node, children)}`,
  unwind: ({ alias }, { expression }) => `UNWIND ${expression} AS ${printVariable(alias)}`,
  use: (_, { argument }) => `USE graph.byName(${argument})`,
  call: ({ imports }, { body }) => `CALL ${printImports(imports)}{ ${body} }`,
  item: ({ alias }, { expression }) =>
    alias === undefined ? expression : `${expression} AS ${printVariable(alias)}`,
  sort: ({ descending }, { expression }) => (descending ? `${expression} DESC` : expression),
  path: ({ variable }, { elements }) =>
    `${variable === undefined ? "" : `${printVariable(variable)} = `}${elements.join("")}`,
  node: (node, children) => `(${printDetails(node, "", children)})`,
  relationship: printRelationship,
  label: ({ name }) => printName(name),
  "label-and": (node, { parts }) => labelParts(node.parts, parts, "&"),
  "label-or": (node, { parts }) => labelParts(node.parts, parts, "|"),
  "label-not": (node, { part }) => `!${labelPart(node.part, part)}`,
  "label-any": () => "%",
  string: ({ value }) => printString(value),
  integer: ({ value }) => String(value),
  float: ({ value }) => printFloat(value),
  boolean: ({ value }) => String(value),
  null: () => "null",
  list: (_, { items }) => `[${commas(items)}]`,
  map: (_, { entries }) => `{${commas(entries)}}`,
  entry: ({ key }, { value }) => `${printName(key)}: ${value}`,
  parameter: ({ name }) => `$${printName(name)}`,
  variable: ({ name }) => printVariable(name),
  property: (node, { target }) => `${printTarget(node.target, target)}.${printName(node.key)}`,
  index: (node, { target, index }) => `${printTarget(node.target, target)}[${index}]`,
  slice: (node, { target, from, to }) => `${printTarget(node.target, target)}[${from ?? ""}..${to ?? ""}]`,
  unary: ({ operator }, { operand }) => `(${operator === "NOT" ? "NOT " : operator}${operand})`,
  binary: printBinary,
  comparison: (_, { first, rest }) => `(${first}${rest.join("")})`,
  step: ({ operator }, { operand }) => ` ${operator} ${operand}`,
  "is-null": ({ negated }, { operand }) => `(${operand} IS ${negated ? "NOT NULL" : "NULL"})`,
  "label-test": (node, { target, label }) => `(${printTarget(node.target, target)}:${label})`,
  function: printFunction,
  case: printCase,
  alternative: (_, { when, then }) => `WHEN ${commas(when)} THEN ${then}`,
  "list-comprehension": ({ variable }, { list, where, result }) =>
    `[${printVariable(variable)} IN ${list}${whereClause(where)}${barClause(result)}]`,
  "pattern-comprehension": (_, { pattern, where, result }) =>
    `[${pattern}${whereClause(where)}${barClause(result)}]`,
  quantifier: ({ quantifier, variable }, { list, where }) =>
    `${quantifier}(${printVariable(variable)} IN ${list}${whereClause(where)})`,
  reduce: ({ accumulator, variable }, { initial, list, result }) =>
    `reduce(${printVariable(accumulator)} = ${initial}, ${printVariable(variable)} IN ${list}${barClause(result)})`,
  exists: (_, { body }) => `EXISTS { ${body} }`,
  count: (_, { body }) => `COUNT { ${body} }`,
  "pattern-body": (_, { patterns, where }) => `${commas(patterns)}${whereClause(where)}`,
  "pattern-predicate": (_, { pattern }) => pattern,
};

type Printed = Readonly<Record<string, string | readonly string[]>>;

const none: Printed = {};

const printChildren = (node: Node): Printed => {
  const fields = childFields(node.kind);
  if (fields.length === 0) return none;
  const printed: Record<string, string | readonly string[]> = {};
  for (const field of fields) {
    const child = childAt(node, field);
    if (child !== undefined) printed[field] = isNode(child) ? printTree(child) : child.map(printTree);
  }
  return printed;
};

/**
 * Tree to text that the database reads exactly as the tree is: names in back-quotes where needed, every operator
 * in parentheses, labels joined with `&` and `|` only, strings escaped. Valid in Cypher 5 and 25, the same text
 * for the same tree always, and `parse` reads it back as that tree.
 *
 * @throws Error for a name that no statement can hold (empty, or with a backslash before a `u`); parsed trees
 *   have none
 */
export const printTree = (node: Node): string => {
  // The syntax under a node's own kind takes that kind and its children; the compiler cannot follow the lookup.
  const print = syntax[node.kind] as (node: Node, children: unknown) => string;
  return print(node, printChildren(node));
};
