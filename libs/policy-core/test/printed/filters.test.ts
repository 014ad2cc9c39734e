import { afterAll, describe, expect, it } from "@jest/globals";
import { projectKey } from "@ikg/physical";
import { compileCiq } from "../../src/index.ts";
import { compileQuery } from "../../src/query/index.ts";
import { readStatement } from "../../src/statements/index.ts";
import { leafOperators, leafRules } from "../../src/filters/leaf-operators.ts";
import { policyOf } from "../rules/versions.ts";
import { PrintedRecord } from "./record.ts";

const operators = leafOperators.filter((operator) => leafRules[operator].takes.length > 0);

const values: readonly unknown[] = [
  "az",
  "ä😀",
  7,
  true,
  ["a", "b"],
  [1, 2.5],
  "$p",
  "$p.q",
  "$token.sub",
  "@film.property.title",
  "@care.since",
  { type: "datetime", value: "2026-01-01T00:00:00Z" },
  { type: "datetime", value: "$p" },
];

const attributes = ["film.property.title", "film.external_id", "care.since", "$p", "$token.level", "films"];

const cypher =
  "MATCH (subject:Archivist)-[care:CARES_FOR]->(film:Film) WITH subject, care, film, count(film) AS films";

/** Lines that a filter has no part in. */
const usual: ReadonlySet<string> = new Set([
  "MATCH (subject:Archivist__00000000&_Node {_key: $__row.s})",
  "MATCH (subject:Archivist__00000000)-[care:CARES_FOR]->(film:Film__00000000)",
]);

/** The predicate that a filter becomes, or why it is refused. */
const printedFilter = (filter: object): readonly string[] => {
  const lists = { allowed_reads: { nodes: ["film.*"], aggregate_values: ["films"] } };
  const policy = compileCiq(JSON.stringify(policyOf("1.0-ciq", { cypher, filter: [filter] }, lists)));
  if (!policy.ok) return policy.faults;
  const query = compileQuery(JSON.stringify({ nodes: ["film.external_id"] }), policy.value);
  if (!query.ok) return query.faults;
  const { text } = readStatement(query.value, projectKey("00000000"));
  const { references, forms, parameterChecks } = query.value.needs;
  const wanted = [...parameterChecks].map(([name, kinds]) => `${name} ${[...kinds].join(" ")}`);
  return [
    ...text.split("\n").filter((line) => /^(MATCH|WITH \* WHERE)/.test(line) && !usual.has(line)),
    `needs ${[...references.keys(), ...forms.keys(), ...wanted].join("; ")}`,
  ];
};

const leaves: readonly object[] = [
  ...attributes.flatMap((attribute) => [
    { operator: "IS NULL", attribute },
    { operator: "IS NOT NULL", attribute },
  ]),
  ...operators.flatMap((operator) =>
    values.map((value) => ({ operator, attribute: "film.property.title", value })),
  ),
  ...operators.flatMap((operator) =>
    attributes.slice(1).map((attribute) => {
      const takesText = leafRules[operator].takes.some((literal) => literal === "scalar");
      return { operator, attribute, value: takesText ? "a" : ["a"] };
    }),
  ),
];
const [first = {}, second = {}] = leaves;
const trees: readonly object[] = [
  { operator: "NOT", operands: [first] },
  { operator: "AND", operands: [first, second] },
  { operator: "OR", operands: [first, { operator: "NOT", operands: [second] }] },
];

const cases = [...leaves, ...trees].map((filter) => [JSON.stringify(filter), filter] as const);

describe("printed filters are those that were recorded", () => {
  const file = new URL("filters.recorded.json", import.meta.url);
  const record = new PrintedRecord<readonly string[]>(
    file,
    cases.map(([name]) => name),
  );

  it.each(cases)("%s", (name, filter) => {
    const printed = printedFilter(filter);
    record.add(name, printed);
    if (!record.updates) expect(printed).toEqual(record.recorded[name]);
  });

  it("and no others", () => {
    if (!record.updates) expect(record.unmatched).toEqual([]);
  });

  afterAll(() => record.write());
});
