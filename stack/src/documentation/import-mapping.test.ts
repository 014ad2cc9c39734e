import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { parse } from "yaml";
import {
  encodings,
  FileMapping,
  ImportMapping,
  importMappingSchema,
  valueKinds,
  valueSources,
} from "@ikg/imports";
import { inRepository } from "../repository.ts";

const file = inRepository("docs", "import-mapping.schema.json");
const page = readFileSync(inRepository("docs", "import-mapping.md"), "utf8");

describe("the JSON Schema of import mappings", () => {
  it("is as the schema of the command is (npm run generate writes it anew)", () => {
    const text = `${JSON.stringify(importMappingSchema(), null, 2)}\n`;
    if (process.env["UPDATE_DOCS"] === "1") writeFileSync(file, text);
    expect(readFileSync(file, "utf8")).toBe(text);
  });
});

describe("docs/import-mapping.md", () => {
  it("names every key of a section, every source of a value, conversion and encoding", () => {
    for (const key of [...Object.keys(FileMapping.shape), ...valueSources, ...valueKinds, ...encodings])
      expect(page).toContain(`\`${key}\``);
  });

  it("shows a mapping that is one, a part of the example", () => {
    const [, shown = ""] = /```yaml\n([\s\S]*?)```/.exec(page) ?? [];
    const mapping = ImportMapping.parse(parse(shown));
    const whole = parse(
      readFileSync(inRepository("examples", "import", "map.yaml"), "utf8"),
    ) as ImportMapping;
    expect(ImportMapping.safeParse(whole).error).toBeUndefined();
    const [pilots] = Object.values(mapping.files);
    expect(whole.files["pilots.csv"]?.relationships).toEqual(
      expect.arrayContaining(pilots?.relationships ?? []),
    );
  });
});
