import { describe, expect, it } from "@jest/globals";
import { missingFrom, schema } from "./schema.ts";

const names = schema.map((statement) => /(?:CONSTRAINT|INDEX) (\w+)/.exec(statement)?.[1]);

describe("what is missing from a database", () => {
  it("is everything at first and nothing later", () => {
    expect(new Set(names).size).toBe(schema.length);
    expect(missingFrom(schema, [])).toEqual(schema);
    expect(
      missingFrom(
        schema,
        names.map((name) => ({ name, state: "ONLINE" })),
      ),
    ).toEqual([]);
  });

  it("is also what is not filled yet", () => {
    const rows = names.map((name, i) => ({ name, state: i === 2 ? "POPULATING" : "ONLINE" }));
    expect(missingFrom(schema, rows)).toEqual([schema[2]]);
  });
});
