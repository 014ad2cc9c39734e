import { describe, expect, it } from "@jest/globals";
import { requireVariables, withSecrets } from "./environment.ts";

describe("secrets of a record", () => {
  const record = { name: "x", secret: "${SECRET}", deep: { list: ["${OTHER}", "plain $SECRET"] } };

  it("come from the environment, as text or as the JSON that they are", () => {
    expect(withSecrets(record, { SECRET: '{"a": 1}', OTHER: "o" })).toEqual({
      fields: { name: "x", secret: { a: 1 }, deep: { list: ["o", "plain $SECRET"] } },
      missing: [],
    });
  });

  it("that are not set are left out and named", () => {
    const { fields, missing } = withSecrets(record, { OTHER: "o" });
    expect([fields, missing]).toEqual([{ name: "x", deep: { list: ["o", "plain $SECRET"] } }, ["SECRET"]]);
    expect(() => requireVariables([...missing, "SECRET"])).toThrow(
      "secrets expected in the environment: SECRET",
    );
  });
});
