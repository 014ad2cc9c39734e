import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { relationshipNameOf, singularOf, typeNameOf } from "@ikg/imports";
import { runIkg } from "../../test/command-environment.ts";

const repository = fileURLToPath(new URL("../../../../", import.meta.url));

let cwd: string;
beforeEach(() => void (cwd = mkdtempSync(join(tmpdir(), "ikg-infer-"))));
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

const infer = async (files: Readonly<Record<string, string>>): Promise<string> => {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
  const { code, output, errors } = await runIkg(["import", ...Object.keys(files), "--infer"], { cwd });
  expect([code, errors]).toEqual([0, ""]);
  return output;
};

describe("an inferred mapping", () => {
  it("has the delimiter of a file without commas, and a key that has the name of the rows of a file", async () => {
    const text = await infer({
      "documents.csv": 'id;title;dept\nd1;"Atlas; second";maps\nd2;Novel;books\n',
      "depts.csv": "id,name\nbooks,Books\nmaps,Maps\n",
    });
    expect(text).toContain('  documents.csv:   # 2 rows\n    delimiter: ";"\n');
    expect(text).toContain("title: title\n          dept: dept\n");
    expect(text).toContain("# the sampled values of dept are ids of depts.csv\n");
    expect(text).toContain('target: {type: Dept, external_id: "{dept}"}');
    expect(text).not.toContain('delimiter: ","');
  });

  it("has types of values, the id, and keys to other files in comments", async () => {
    const text = await infer({
      "people.csv":
        "id,Full Name,age,score,zip,active,born,manager_id,company_id\n1,Ann,31,1.5,08001,t,1990-01-01,,7\n2,Bob,42,2,08002,f,1980-01-01,1,7\n",
      "companies.csv": "company_id,name\n7,Acme\n8,Other\n",
    });
    expect(text)
      .toBe(`# Inferred by ikg import --infer from the first rows: review it before use. Format: docs/import-mapping.md
files:
  people.csv:   # 2 rows
    nodes:
      - type: Person
        external_id: "{id}"
        # is_identity: true   # if these nodes are subjects of decisions
        properties:
          Full_Name: Full Name
          age: {column: age, as: integer}
          score: {column: score, as: number}
          zip: zip
          active: {column: active, as: boolean}
          born: {column: born, as: datetime}
          manager_id: {column: manager_id, as: integer}
          company_id: {column: company_id, as: integer}
    # relationships:
    #   # the sampled values of manager_id are ids of people.csv
    #   - source: {type: Person, external_id: "{id}"}
    #     type: HAS_MANAGER
    #     target: {type: Person, external_id: "{manager_id}"}
    #   # the sampled values of company_id are ids of companies.csv
    #   - source: {type: Person, external_id: "{id}"}
    #     type: HAS_COMPANY
    #     target: {type: Company, external_id: "{company_id}"}
  companies.csv:   # 2 rows
    nodes:
      - type: Company
        external_id: "{company_id}"
        # is_identity: true   # if these nodes are subjects of decisions
        properties:
          name: name
`);
  });

  it("makes relationships of a table of keys, and says when no column identifies a row", async () => {
    const text = await infer({
      "memberships.csv": "person_id,club_id,since\n1,2,2020-01-01\n1,3,2021-01-01\n",
      "readings.csv": "kind,value\na,1\na,1\n",
    });
    expect(text).toContain(`    relationships:
      - source: {type: Person, external_id: "{person_id}"}
        type: HAS_CLUB
        target: {type: Club, external_id: "{club_id}"}
        properties:
          since: {column: since, as: datetime}
`);
    expect(text).toContain("# No column is unique in the sampled rows");
  });

  it("says which text of a dump means no value, so that no row is rejected for it", async () => {
    const text = await infer({ "people.csv": "id,age\n1,31\n2,\\N\n" });
    expect(text).toContain('  people.csv:   # 2 rows\n    empty: ["\\\\N"]\n');
    expect(text).toContain("age: {column: age, as: integer}");
    writeFileSync(join(cwd, "map.yaml"), text);
    const run = await runIkg(["import", "people.csv", "--map", "map.yaml", "--dry-run", "-o", "json"], {
      cwd,
    });
    expect(JSON.parse(run.output)).toMatchObject({ rows: 2, rejected: 0, nodes: { Person: 2 } });
  });

  it("is the same for the same files, and can be used as it is", async () => {
    const files = ["aircraft", "models", "pilots", "ratings"].map((name) => `examples/import/${name}.csv`);
    const environment = { cwd: repository };
    const { output } = await runIkg(["import", ...files, "--infer"], environment);
    expect((await runIkg(["import", ...files, "--infer"], environment)).output).toBe(output);
    writeFileSync(join(cwd, "map.yaml"), output);
    writeFileSync(
      join(cwd, "all.yaml"),
      output.replaceAll(/^( *)# (?= *(relationships:|- source|type|target|#))/gm, "$1"),
    );
    for (const map of ["map.yaml", "all.yaml"]) {
      const run = await runIkg(
        ["import", ...files, "--map", join(cwd, map), "--dry-run", "-o", "json"],
        environment,
      );
      expect([run.code, run.errors]).toEqual([0, ""]);
      expect(JSON.parse(run.output)).toMatchObject({ rows: 11, rejected: 0, nodes: { Pilot: 3 } });
    }
  });

  it("knows objects of NDJSON by their members", async () => {
    const text = await infer({
      "events.ndjson": '{"uuid":"a","n":1,"tags":["x"]}\n{"uuid":"b","ok":true}\n',
    });
    expect(text).toContain('      - type: Event\n        external_id: "{uuid}"');
    expect(text).toContain("          n: n\n          tags: tags\n          ok: ok\n");
  });
});

describe("names", () => {
  it("of types are singular", () => {
    expect(
      ["people.csv", "public.order_items.csv", "boxes.csv", "Addresses.csv", "bus.csv", "3d-models.csv"].map(
        typeNameOf,
      ),
    ).toEqual(["Person", "OrderItem", "Box", "Address", "Bus", "N3dModel"]);
    expect(typeNameOf("constructor")).toBe("Constructor");
    expect(["countries", "keys", "status", "glass"].map(singularOf)).toEqual([
      "country",
      "key",
      "status",
      "glass",
    ]);
  });

  it("of relationships are upper case", () => expect(relationshipNameOf("home-club")).toBe("HAS_HOME_CLUB"));
});
