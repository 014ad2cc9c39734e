import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { Validator } from "@seriousme/openapi-schema-validator";
import { fileURLToPath } from "node:url";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { operations } from "@ikg/contracts";
import { examples } from "./openapi-examples.ts";
import { openApi } from "./openapi.ts";

const file = new URL("../services/gateway/src/reference/openapi.json", import.meta.url);

describe("the OpenAPI document", () => {
  it("is as the contract is (UPDATE_DOCS=1 writes it anew)", () => {
    const text = `${JSON.stringify(openApi(), null, 2)}\n`;
    if (process.env["UPDATE_DOCS"] === "1") writeFileSync(file, text);
    expect(readFileSync(file, "utf8")).toBe(text);
  });

  it("is one", async () => {
    const result = await new Validator().validate(JSON.parse(JSON.stringify(openApi())));
    expect(result).toMatchObject({ valid: true });
  });

  it("is as the rules of Redocly want it", async () => {
    const config = await createConfig({
      extends: ["recommended"],
      rules: { "no-server-example.com": "off" },
    });
    const problems = await lintFromString({
      source: JSON.stringify(openApi()),
      absoluteRef: fileURLToPath(file),
      config,
    });
    expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual(
      [],
    );
  });

  it("has examples of operations that there are", () => {
    const known = new Set(operations.map(({ operation }) => operation));
    expect(examples.filter(({ operation }) => !known.has(operation))).toEqual([]);
  });

  it("names every endpoint, each once", () => {
    const paths = openApi()["paths"] as Record<string, Record<string, { operationId: string }>>; // made above
    const ids = Object.values(paths).flatMap((methods) =>
      Object.values(methods).map((each) => each.operationId),
    );
    expect(ids).toHaveLength(operations.length);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
