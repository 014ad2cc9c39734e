import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { runIkg } from "../../test/command-environment.ts";
import { lineText } from "@ikg/imports";

let cwd: string;
beforeEach(() => void (cwd = mkdtempSync(join(tmpdir(), "ikg-dry-run-"))));
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

const mapping = `files:
  people.csv:
    nodes:
      - {type: Person, external_id: "{id}", properties: {name: name, age: {column: age, as: integer}}}
    relationships:
      - source: {type: Person, external_id: "{id}"}
        type: KNOWS
        target: {type: Person, external_id: "{friend}"}
        properties: {since: since}
`;

const csv = `id,name,age,friend,since
ann,Ann Lee,31,bob,2020
bob,${"Bob ".repeat(30)},x,ann,2021
${"c".repeat(300)},Cid,3,,
`;

const write = (): void => {
  writeFileSync(join(cwd, "people.csv"), csv);
  writeFileSync(join(cwd, "map.yaml"), mapping);
};

const args = ["import", "people.csv", "--map", "map.yaml", "--dry-run"];

describe("a dry run", () => {
  it("shows the first rows, counts, and what would be rejected, here or by the suite", async () => {
    write();
    const { code, output, errors } = await runIkg([...args, "--rows", "2"], { cwd });
    expect([code, errors]).toEqual([1, ""]);
    expect(output).toBe(`people.csv, row 1
  Person ann {name: "Ann Lee", age: 31}
  Person ann -KNOWS {since: "2020"}-> Person bob
people.csv, row 2
  Person bob -KNOWS {since: "2021"}-> Person ann

3 rows
nodes:         Person 1
relationships: KNOWS 2
rejected:      2
  people.csv:3: node: age: "x" is not an integer
  people.csv:4: node.external_id: 1-256 characters
`);
  });

  it("has its lines whole for programs", async () => {
    write();
    const { output } = await runIkg([...args, "--rows", "1", "-o", "json"], { cwd });
    expect(JSON.parse(output)).toMatchObject({
      rows: 3,
      nodes: { Person: 1 },
      first: [
        {
          file: "people.csv",
          row: 1,
          lines: [{ node: { type: "Person", external_id: "ann" } }, { relationship: { type: "KNOWS" } }],
        },
      ],
    });
  });

  it("fits a terminal of 40 columns, in colours too", async () => {
    write();
    const { output } = await runIkg(args, { cwd, columns: 40, outputIsTerminal: true });
    expect(output).toContain("\u001b[");
    const lines = stripVTControlCharacters(output).split("\n");
    expect(lines.filter((line) => line.length > 40)).toEqual([]);
  });
});

describe("what is wrong with a mapping", () => {
  it("is shown with its line, and ends with 2", async () => {
    write();
    writeFileSync(join(cwd, "map.yaml"), mapping.replace("name: name", "name: nam"));
    expect(await runIkg(args, { cwd })).toEqual({
      code: 2,
      output: "",
      errors: `map.yaml:4:64: unknown column "nam"; available: id, name, age, friend, since
4 |       - {type: Person, external_id: "{id}", properties: {name: nam, age: {column: age, as: integer}}}
  |                                                                ^
error: 1 error in the mapping
`,
    });
  });
});

describe("a line as text", () => {
  it("has all that is captured", () => {
    const ref = { type: "Person", external_id: "ann lee" };
    const metadata = { source: "hr" };
    const properties = [
      { type: "age", value: 3, metadata },
      { type: "pay", external_value: "payroll" },
    ];
    expect(lineText({ node: { ...ref, is_identity: true, labels: ["Staff"], properties } })).toBe(
      'Person "ann lee" :Staff {age: {"value":3,"metadata":{"source":"hr"}}, pay: {"external_value":"payroll"}} identity',
    );
  });
});
