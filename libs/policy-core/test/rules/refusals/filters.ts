import { leafOperators } from "../../../src/filters/leaf-operators.ts";
import type { Refusal } from "./refusal.ts";

/** Where filters stand. */
export const filterKinds = ["KBAC filter", "token_filter", "row filter"] as const;

export type FilterKind = (typeof filterKinds)[number];

/** A filter and why it is refused; `text` begins with the place inside the filter, if there is one. */
export interface FilterRefusal extends Refusal {
  readonly filter: unknown;
  readonly kinds: readonly FilterKind[];
}

const memory: readonly FilterKind[] = ["KBAC filter", "token_filter"];
const rows: readonly FilterKind[] = ["row filter"];

/** What row filters of these examples are about: `film` and `x` are nodes, `care` a relationship, `steps` several. */
export const filteredCypher =
  "MATCH (subject:Archivist)-[care:CARES_FOR]->(film:Film)-[steps:NEXT*1..3]->(x) WITH *, 1 AS one";

const present = { attribute: "$token.seen", operator: "IS NOT NULL" };
const claim = (operator: string, value?: unknown): object => ({
  attribute: "$token.level",
  operator,
  ...(value === undefined ? {} : { value }),
});
const on = (attribute: unknown, operator = "=", value: unknown = 1): object => ({
  attribute,
  operator,
  value,
});
const datetime = (value: string): object => ({ type: "datetime", value });

/** [text, filter, kinds; all of them when nothing is said] */
type Row = readonly [string, unknown, (readonly FilterKind[])?];

const shape: readonly Row[] = [
  ["object expected", "$token.level"],
  ['must have either "attribute" or "operands"', { operator: "=" }],
  ["extra: unknown key", { ...present, extra: 1 }],
  [`operator: must be one of ${leafOperators.join(", ")}`, claim("==", 1)],
  ["operator: must be one of AND, OR, NOT", { operator: "XOR", operands: [present] }],
  ["operands: must have at least one operand", { operator: "AND", operands: [] }],
  ["operands: NOT takes exactly 1 operand", { operator: "NOT", operands: [present, present] }],
  ["value: a branch has operands and no value", { operator: "AND", operands: [present], value: 1 }],
  [
    "operands[200]: more than 200 leaves",
    { operator: "OR", operands: Array.from({ length: 201 }, () => present) },
  ],
  ["advice: object expected", { ...present, advice: "sign in again" }],
  ["advice.max_age: string expected", { ...present, advice: { max_age: 60 } }],
  ["app: string expected", { ...present, app: 1 }],
];

const bounded: readonly Row[] = [
  [
    "operands[0]: may take 10498325 steps for one row, at most 10000000 (EXPRESSION_STEPS); compare in a MATCH or in COUNT { } instead of nested list loops",
    {
      operator: "OR",
      operands: Array.from({ length: 5 }, () => on("film.property.plot", "CONTAINS", "@x.property.title")),
    },
    rows,
  ],
];

const values: readonly Row[] = [
  ["attribute: string expected", on(1)],
  ["value: required", claim("=")],
  ["value: IS NULL takes no value", claim("IS NULL", 1)],
  ["value: string, number, boolean, array of these or datetime object expected", claim("=", [[1]])],
  ["value: a lone surrogate is not well-formed Unicode", claim("=", "\uD800")],
  ["value: IN takes an array, $name or @alias.property.name", claim("IN", "a")],
  ["value: < takes no array", claim("<", [1])],
  ["value: booleans have no order", claim("<", true)],
  ["value: an array holds literals only", claim("IN", ["$level"])],
  ["value: not an accepted regular expression: string expected", claim("=~", 1)],
  ['value: not an accepted regular expression: "(" without ")"', claim("=~", "(a")],
  ["value.type: must be datetime", claim("=", { type: "date", value: "2026-01-01" })],
  [
    "value.value: RFC 3339 text with an offset, $name or $token.<claim> expected",
    claim("=", datetime("2026-01-01")),
  ],
  ["value: IN takes no datetime", claim("IN", datetime("2026-01-01T00:00:00Z"))],
  ["value: a reference is written $name or $name.member", claim("=", "$a-b")],
  ["value: $token needs a claim: $token.<claim>", claim("=", "$token")],
  [
    "value: RFC 3339 text with an offset or epoch seconds expected where the other side is a datetime",
    on(datetime("$token.seen"), "<", "yesterday"),
    memory,
  ],
];

const paths: readonly Row[] = [
  [
    "attribute: a path of the graph cannot be read here; use $token.<claim> or $<name>",
    on("film.property.year"),
    memory,
  ],
  [
    "value: a path of the graph cannot be read here; use $token.<claim> or $<name>",
    claim("=", "@film.property.year"),
    memory,
  ],
  ['attribute: "y" is not bound after the pattern', on("y.property.year"), rows],
  [
    "attribute: a filter reads one value: a property, its metadata, a system field or a trust score",
    on("film.*"),
    rows,
  ],
  ["attribute: a filter reads one value: a relationship property", on("care"), rows],
  ["attribute: unknown field of a node; a property is written film.property.year", on("film.year"), rows],
  ["attribute: not a path", on("film.a-b"), rows],
  ["attribute: a relationship property is written care.since", on("care.property.since"), rows],
  ['attribute: "steps" is not a node, relationship or value', on("steps.since"), rows],
  [
    "attribute: in a filter that reads the graph only the value may be a datetime",
    on(datetime("$token.seen"), "<", "2026-01-01T00:00:00Z"),
    rows,
  ],
  [
    "value: =~ takes a string, $name or $token.<claim>",
    on("film.property.title", "=~", "@x.property.title"),
    rows,
  ],
];

export const filterRefusals: readonly FilterRefusal[] = [...shape, ...bounded, ...values, ...paths].map(
  ([text, filter, kinds = filterKinds]) => ({ text, filter, kinds, example: JSON.stringify(filter) }),
);
