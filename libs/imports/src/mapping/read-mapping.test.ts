import { describe, expect, it } from "@jest/globals";
import { formatDiagnostic } from "@ikg/sources";
import type { ConversionResult, FileColumns } from "./converter.ts";
import type { LineKind } from "./line-of.ts";
import { MappingFileFault } from "./mapping-file-fault.ts";
import { type Mapping, matchesPattern, readMapping } from "./read-mapping.ts";

const read = (text: string): Mapping => readMapping("map.yaml", text);

const tableOf = (...columns: readonly string[]): FileColumns => ({ columns, areObjects: false });
const objects: FileColumns = { columns: undefined, areObjects: true };

const faultsOf = (text: string, file: FileColumns = tableOf("id", "name")): readonly string[] => {
  try {
    read(text).sectionOf("a.csv")?.compile(file);
  } catch (error) {
    if (error instanceof MappingFileFault) return error.faults.map(formatDiagnostic);
    throw error;
  }
  return [];
};

/** Lines of a row, parsed, or what is wrong with them. */
const linesOf = (
  text: string,
  file: FileColumns,
  cells: readonly unknown[] | Record<string, unknown>,
  kind: LineKind = "node",
): readonly unknown[] => {
  const converter = read(text).sectionOf("a.csv")?.compile(file);
  const parsed = (each: ConversionResult): unknown =>
    "text" in each ? (JSON.parse(each.text) as unknown) : each.errors;
  return (converter?.linesOf(kind, { number: 1, cells }) ?? []).map(parsed);
};

const person = (rest: string): string => `files:
  a.csv:
    nodes:
      - type: Person
        external_id: "p-{id}"
${rest}`;

describe("a mapping", () => {
  it("makes a node of a row, with what may be written of a node", () => {
    const text = person(`        is_identity: true
        labels: [Employee, "In{country}"]
        properties:
          name: {template: "{first} {last}"}
          age: {column: age, as: integer}
          kind: {value: staff}
          salary: {external_value: payroll}
          email:
            column: email
            metadata:
              source: "hr-{country}"
              verified_time: {column: checked}
              assurance_level: 2
              custom_metadata: {batch: {column: batch, as: integer}, by: import}
`);
    const columns = ["id", "first", "last", "age", "country", "email", "checked", "batch"];
    const row = ["7", "Ann", "Lee", "31", "CH", "a@x", "2026-01-31", "4"];
    expect(linesOf(text, tableOf(...columns), row)).toEqual([
      {
        node: {
          type: "Person",
          external_id: "p-7",
          is_identity: true,
          labels: ["Employee", "InCH"],
          properties: [
            { type: "name", value: "Ann Lee" },
            { type: "age", value: 31 },
            { type: "kind", value: "staff" },
            { type: "salary", external_value: "payroll" },
            {
              type: "email",
              value: "a@x",
              metadata: {
                source: "hr-CH",
                verified_time: "2026-01-31T00:00:00.000Z",
                assurance_level: 2,
                custom_metadata: { batch: 4, by: "import" },
              },
            },
          ],
        },
      },
    ]);
  });

  it("leaves out empty cells, and what stands for them", () => {
    const text = person(`        properties: {name: name, age: {column: age, as: integer}}
    empty: ["\\\\N"]
`);
    const file = tableOf("id", "name", "age");
    expect(linesOf(text, file, ["7", "", String.raw`\N`])).toEqual([
      { node: { type: "Person", external_id: "p-7" } },
    ]);
    expect(linesOf(text, file, ["", "Ann", "3"])).toEqual([
      [expect.stringContaining('external_id: id is empty; "when: id" skips such rows')],
    ]);
  });

  it("reads no member that every object inherits", () => {
    const text = person("        properties: {team: constructor}\n");
    expect(linesOf(text, objects, { id: "7" })).toEqual([{ node: { type: "Person", external_id: "p-7" } }]);
  });

  it("says every wrong value of a row, by its property", () => {
    const text =
      person(`        properties: {age: {column: age, as: integer}, tall: {column: tall, as: boolean}}
`);
    expect(linesOf(text, tableOf("id", "age", "tall"), ["7", "x", "y?"])).toEqual([
      ['age: "x" is not an integer', 'tall: "y?" is not a boolean'],
    ]);
  });

  it("leaves out nodes whose `when` is empty, and relationships without one of their ends", () => {
    const text = `files:
  a.csv:
    nodes:
      - {type: Club, external_id: "{club}", when: [club, id]}
    relationships:
      - source: {type: Person, external_id: "{id}"}
        type: MEMBER_OF
        target: {type: Club, external_id: "{club}"}
        properties: {since: {column: since, as: datetime}}
      - source: {type: Person, external_id: "{id}"}
        type: LEADS
        target: {type: Club, external_id: "{club}"}
        when: leads
`;
    const file = tableOf("id", "club", "since", "leads");
    expect(linesOf(text, file, ["a", "", "", ""])).toEqual([]);
    expect(linesOf(text, file, ["a", "", "", ""], "relationship")).toEqual([]);
    expect(linesOf(text, file, ["a", "c", "2026-01-31", ""])).toEqual([
      { node: { type: "Club", external_id: "c" } },
    ]);
    const [source, target] = [
      { type: "Person", external_id: "a" },
      { type: "Club", external_id: "c" },
    ];
    expect(linesOf(text, file, ["a", "c", "2026-01-31", "x"], "relationship")).toEqual([
      {
        relationship: {
          source,
          type: "MEMBER_OF",
          target,
          properties: [{ type: "since", value: "2026-01-31T00:00:00.000Z" }],
        },
      },
      { relationship: { source, type: "LEADS", target } },
    ]);
  });

  it("reads members of objects by their dots, and a name with dots as a whole", () => {
    const text = person(`        properties: {city: address.city, both: a.b}
`);
    const cells = { id: 7, address: { city: "Bern" }, "a.b": "whole", a: { b: "part" } };
    expect(linesOf(text, objects, cells)).toEqual([
      {
        node: {
          type: "Person",
          external_id: "p-7",
          properties: [
            { type: "city", value: "Bern" },
            { type: "both", value: "whole" },
          ],
        },
      },
    ]);
  });

  it("takes braces in templates when they are doubled", () => {
    const text = person("").replace("p-{id}", "{{{id}}}");
    expect(linesOf(text, tableOf("id"), ["7"])).toEqual([{ node: { type: "Person", external_id: "{7}" } }]);
  });

  it("is found by the name of a file: the first match", () => {
    expect([
      matchesPattern("a-*.csv", "a-1.csv"),
      matchesPattern("a-?.csv", "a-12.csv"),
      matchesPattern("a.csv", "axcsv"),
      matchesPattern("a.csv", "A.CSV"),
    ]).toEqual([true, false, false, true]);
    const mapping = read(`files: {"a*.csv": {nodes: []}, "*": {relationships: []}}`);
    expect([mapping.sectionOf("ab.csv")?.pattern, mapping.sectionOf("b.tsv")?.pattern]).toEqual([
      "a*.csv",
      "*",
    ]);
  });
});

describe("a wrong mapping", () => {
  const wrong: readonly (readonly [string, string, string])[] = [
    ["invalid YAML", "files: [", "map.yaml:1:9: "],
    [
      "an unknown key",
      "files:\n  a.csv:\n    node: []",
      'map.yaml:3:5: unknown key "node"; accepted: columns,',
    ],
    ["no file", "files: {}", "map.yaml:1:8: files: at least one file expected"],
    [
      "an unquoted template",
      person("").replace('"p-{id}"', "{id}"),
      'map.yaml:5:22: external_id: string expected; a string that begins with a brace needs quotes: "{column}"',
    ],
    [
      "an id without a column",
      person("").replace("p-{id}", "id"),
      'map.yaml:5:22: external_id: contains no column; write "{id}" for the value of column id',
    ],
    [
      "a brace that is not closed",
      person("").replace("p-{id}", "p-{id"),
      'map.yaml:5:25: unclosed "{"; write "{{" for a literal brace',
    ],
    [
      "an unknown column",
      person("        properties: {name: nam}"),
      'map.yaml:6:28: unknown column "nam"; available: id, name',
    ],
    [
      "an unknown conversion",
      person("        properties: {name: {column: name, as: text}}"),
      "map.yaml:6:47: as: one of string, integer, number, boolean, datetime, list expected",
    ],
    [
      "two sources of a value",
      person("        properties: {name: {column: name, value: 1}}"),
      "map.yaml:6:28: name: exactly one of column, template, value, external_value expected",
    ],
    [
      "a name that no type can have",
      person("").replace("Person", "Per son"),
      "map.yaml:4:15: type: 2-64 letters, digits and underscores",
    ],
    [
      "a name that no property can have",
      person("        properties: {first name: name}"),
      "map.yaml:6:34: first name: 1-128 letters, digits and underscores",
    ],
  ];
  for (const [title, text, expected] of wrong)
    it(`${title} is shown at its place`, () => {
      const [first = ""] = faultsOf(text);
      expect(first.slice(0, expected.length)).toBe(expected);
    });

  it("shows every fault", () => {
    const text = person(`        properties: {name: nam}
      - {type: Pet, external_id: "{pet}"}`);
    expect(faultsOf(text)).toEqual([
      expect.stringContaining('6:28: unknown column "nam"'),
      expect.stringContaining('7:34: unknown column "pet"'),
    ]);
  });
});
