import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { Validator } from "@seriousme/openapi-schema-validator";
import { operations } from "@ikg/contracts";
import { openApi } from "./openapi.ts";

const file = new URL("openapi.json", import.meta.url);

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

  it("names every endpoint, each once", () => {
    const paths = openApi()["paths"] as Record<string, Record<string, { operationId: string }>>; // made above
    const ids = Object.values(paths).flatMap((methods) =>
      Object.values(methods).map((each) => each.operationId),
    );
    expect(ids).toHaveLength(operations.length);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
