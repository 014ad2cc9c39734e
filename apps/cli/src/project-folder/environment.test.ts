import { describe, expect, it } from "@jest/globals";
import { escapePlaceholders, requireVariables, withSecrets } from "./environment.ts";

describe("secrets of a record", () => {
  const record = { name: "x", secret: "${SECRET}", deep: { list: ["${OTHER}", "plain $SECRET"] } };

  it("come from the environment, as text or as the JSON that they are", () => {
    expect(withSecrets(record, { SECRET: '{"a": 1}', OTHER: "o" })).toEqual({
      fields: { name: "x", secret: { a: 1 }, deep: { list: ["o", "plain $SECRET"] } },
      missing: [],
    });
  });

  it("are not what a text only looks like: it has one more dollar sign in files", () => {
    const texts = { a: "${SECRET}", b: ["$${SECRET}", "x ${SECRET}"], c: 7 };
    expect(escapePlaceholders(texts)).toEqual({ a: "$${SECRET}", b: ["$$${SECRET}", "x ${SECRET}"], c: 7 });
    const { fields, missing } = withSecrets(escapePlaceholders(texts) as typeof texts, { SECRET: "s" });
    expect([fields, missing]).toEqual([texts, []]);
  });

  it("that are not set are left out and named", () => {
    const { fields, missing } = withSecrets(record, { OTHER: "o" });
    expect([fields, missing]).toEqual([{ name: "x", deep: { list: ["o", "plain $SECRET"] } }, ["SECRET"]]);
    expect(() => requireVariables([...missing, "SECRET"])).toThrow(
      "environment variables required for secrets: SECRET",
    );
  });
});
