import { describe, expect, it } from "@jest/globals";
import type { CiqPolicy, KbacPolicy } from "../index.ts";
import { kbac, ciq, leaf, schema, placed, onWard, wards } from "../../test/warned-policies.ts";
import { compileQuery } from "../query/query.ts";
import { queryWarningsOf, warningsOf } from "./warnings.ts";

/** [policy, the code, place and text of each warning]. */
const names: readonly (readonly [string, KbacPolicy | CiqPolicy, readonly string[]])[] = [
  [
    "a label that is nearly one",
    kbac("MATCH (subject)-[:ON]->(:Wards)-[:HOLDS]->(resource)"),
    ['unknown-label 1:26 the graph holds no node of type "Wards"; did you mean "Ward"?'],
  ],
  [
    "a label in an expression",
    kbac(`${onWard} WHERE w:ward OR w:Zone`),
    [
      'unknown-label 1:62 the graph holds no node of type "ward"; did you mean "Ward"?',
      'unknown-label 1:72 the graph holds no node of type "Zone"',
    ],
  ],
  [
    "a relationship type",
    kbac("MATCH (subject)-[:ON|HOLD]->(resource)"),
    ['unknown-relationship-type 1:22 the graph holds no relationship of type "HOLD"; did you mean "HOLDS"?'],
  ],
  [
    "a relationship type far from all",
    kbac("MATCH (subject)-[:LEADS]->(resource)"),
    ['unknown-relationship-type 1:19 the graph holds no relationship of type "LEADS"'],
  ],
  [
    "a property",
    kbac(`${onWard} WHERE resource.property.titel = 'x'`),
    ['unknown-property 1:60 no Chart of the graph has a property "titel"; did you mean "title"?'],
  ],
  [
    "a property in a map",
    kbac("MATCH (subject)-[:ON]->(w:Ward {nam: 'x'})-[:HOLDS]->(resource)"),
    ['unknown-property 1:33 no Ward of the graph has a property "nam"; did you mean "name"?'],
  ],
  [
    "a property in a filter",
    ciq(wards, [leaf("chart.property.riks", "=", 1)]),
    [
      'unknown-property policy.condition.filter[0] no Chart of the graph has a property "riks"; did you mean "risk"?',
    ],
  ],
  [
    "a property of no node at all",
    kbac("MATCH (subject)-[:ON]->(x)-[:HOLDS]->(resource) WHERE x.property.colour = 1"),
    ['unknown-property 1:55 no node of the graph has a property "colour"'],
  ],
  [
    "names that are there",
    kbac(`${onWard} WHERE resource.property.risk = 1 AND w:Ward AND w.property.name = 'x'`),
    [],
  ],
  [
    "an alias of any type",
    kbac("MATCH (subject)-[:ON]->(x)-[:HOLDS]->(resource) WHERE x.property.title = 1"),
    [],
  ],
  [
    "names of the platform",
    ciq(
      "MATCH (subject)-[:ON]->(w:Ward) MATCH (a:_Application)-[:ON]->(w) WHERE subject.trust_score._final_score > 1",
    ),
    [],
  ],
  [
    "system fields and relationship properties",
    kbac(
      "MATCH (subject)-[o:ON {since: 1}]->(w {external_id: 'a', type: 'Ward'})-[:HOLDS]->(resource) WHERE w.create_time > 'a' AND o.until > 1",
    ),
    [],
  ],
];

describe("with the schema of the graph", () => {
  it.each(names)("%s", (_, policy, expected) => {
    const found = warningsOf(policy, { schema }).filter(({ code }) => code.startsWith("unknown-"));
    expect(
      found.map(
        ({ code, text, path, line, column }) =>
          `${code} ${line === undefined ? path : `${line}:${column ?? 0}`} ${text}`,
      ),
    ).toEqual(expected);
  });

  it("warns of the types of the policy itself", () => {
    const smaller = { ...schema, nodeTypes: new Map([["Nurse", { properties: new Set<string>() }]]) };
    expect(
      placed(warningsOf(kbac("MATCH (subject)-[:ON]->(resource)"), { schema: smaller }), "unknown-label"),
    ).toEqual(["policy.resource.type"]);
  });
});

describe("with a large schema and many unknown names", () => {
  const properties = new Set(Array.from({ length: 2_000 }, (_, at) => `measure${at}`));
  const nodeTypes = new Map(schema.nodeTypes).set("Chart", { properties });
  for (let at = 0; at < 200; at += 1) nodeTypes.set(`Type${at}`, { properties });

  it.each(["(chart:Chart)", "(chart)"])("suggests for the first alone, of %s", (chart) => {
    const policy = ciq(`MATCH (subject)-[:ON]->(:Ward)-[:HOLDS]->${chart}`);
    const nodes = Array.from({ length: 5_000 }, (_, at) => `chart.property.mesaure${at}`);
    const checked = compileQuery(JSON.stringify({ nodes }), policy);
    if (!checked.ok) throw new Error(checked.faults.join("; "));
    const texts = queryWarningsOf(checked.value, { schema: { ...schema, nodeTypes } }).map(
      ({ text }) => text,
    );
    expect(texts).toHaveLength(nodes.length);
    expect(texts[0]).toContain('; did you mean "measure0"?');
    expect(texts.at(-1)).toMatch(/"mesaure4999"$/);
  });

  it("suggests for the first of short names alone, too", () => {
    const namesFrom = (first: string, count: number): readonly string[] =>
      Array.from({ length: count }, (_, at) => (Number.parseInt(first, 36) + at).toString(36));
    const types = new Map(schema.nodeTypes).set("Chart", { properties: new Set(namesFrom("a00", 2_000)) });
    const policy = ciq("MATCH (subject)-[:ON]->(:Ward)-[:HOLDS]->(chart:Chart)");
    const nodes = namesFrom("k00", 1_000).map((name) => `chart.property.${name}`);
    const checked = compileQuery(JSON.stringify({ nodes }), policy);
    if (!checked.ok) throw new Error(checked.faults.join("; "));
    const texts = queryWarningsOf(checked.value, { schema: { ...schema, nodeTypes: types } }).map(
      ({ text }) => text,
    );
    expect(texts).toHaveLength(nodes.length);
    expect(texts[0]).toContain('; did you mean "a00"?');
    expect(texts.at(-1)).toMatch(/"krr"$/);
  });
});

describe("with a large schema of long names", () => {
  it("suggests nothing for a long name", () => {
    const long = (at: number): string => `${"x".repeat(110)}${at}`;
    const properties = new Set(Array.from({ length: 2_000 }, (_, at) => long(at)));
    const nodeTypes = new Map(schema.nodeTypes).set("Chart", { properties });
    const policy = kbac(`${onWard} WHERE resource.property.${long(2_001)} = 'x'`);
    const warning = warningsOf(policy, { schema: { ...schema, nodeTypes } }).find(
      ({ code }) => code === "unknown-property",
    );
    expect(warning?.text).toMatch(/ has a property "x+2001"$/);
  });
});

describe("without the schema of the graph", () => {
  const policy = kbac("MATCH (subject)-[:ONN]->(resource)");
  const unread = ({ code }: { readonly code: string }): boolean => code === "names-not-compared";

  it("says that nothing was compared where the database did not answer, and nothing where there is no schema", () => {
    const found = warningsOf(policy, { schema: "unread" });
    expect(found.filter(unread).map(({ path }) => path)).toEqual(["policy"]);
    expect(found.some(({ code }) => code.startsWith("unknown-"))).toBe(false);
    expect(warningsOf(policy).some(unread)).toBe(false);
  });
});
