import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { parse } from "yaml";
import { policyTestsSchema } from "../../../apps/cli/src/policy-tests/file/json-schema.ts";
import { PolicyTests } from "../../../apps/cli/src/policy-tests/file/schema.ts";
import { inRepository } from "../repository.ts";

const file = inRepository("docs", "policy-tests.schema.json");
const page = readFileSync(inRepository("docs", "policy-tests.md"), "utf8");

describe("the JSON Schema of policy tests", () => {
  it("is as the schema of the runner is (npm run generate writes it anew)", () => {
    const text = `${JSON.stringify(policyTestsSchema(), null, 2)}\n`;
    if (process.env["UPDATE_DOCS"] === "1") writeFileSync(file, text);
    expect(readFileSync(file, "utf8")).toBe(text);
  });

  it("takes short forms without quotes, as editors see them", () => {
    const { properties } = policyTestsSchema() as {
      properties: { tests: { items: { anyOf: { patternProperties?: object }[] } } };
    };
    const patterns = properties.tests.items.anyOf.flatMap(({ patternProperties = {} }) =>
      Object.keys(patternProperties),
    );
    const [key] = Object.keys(parse("amelia may FLY Aircraft N211 {min_hours: 100}") as object);
    expect(patterns.some((pattern) => new RegExp(pattern).test(key ?? ""))).toBe(true);
  });
});

describe("docs/policy-tests.md", () => {
  it("names every key of a file", () => {
    for (const key of Object.keys(PolicyTests.shape)) expect(page).toContain(`\`${key}\``);
  });
});
