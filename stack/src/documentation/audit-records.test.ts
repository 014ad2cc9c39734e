import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { recordSchemas } from "@ikg/audit";
import { inRepository } from "../repository.ts";
import { auditRecordSchema } from "./audit-records.ts";

const file = inRepository("docs", "audit-records.schema.json");

describe("the JSON Schema of audit records", () => {
  it("is as their schemas are (npm run generate writes it anew)", () => {
    const text = `${JSON.stringify(auditRecordSchema(), null, 2)}\n`;
    if (process.env["UPDATE_DOCS"] === "1") writeFileSync(file, text);
    expect(readFileSync(file, "utf8")).toBe(text);
  });

  it("has one alternative for each type", () => {
    const { anyOf } = auditRecordSchema() as { anyOf: { properties: { type: { const: string } } }[] };
    expect(anyOf.map(({ properties }) => properties.type.const)).toEqual(Object.keys(recordSchemas));
  });
});
