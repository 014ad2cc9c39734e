import { describe, expect, it } from "@jest/globals";
import { calendarFiles, skipReason } from "./calendar.ts";

describe("the second server", () => {
  it("is for the tests that run policy statements", () => {
    const files = [
      "libs/policy-core/test/statements.test.ts",
      "libs/policy-core/test/database/real-forms.long.test.ts",
      "libs/policy-core/test/filters.long.test.ts",
      "libs/policy-core/src/paths/path.test.ts",
      "libs/graph/test/database.test.ts",
    ];
    expect(calendarFiles({ files })).toEqual(files.slice(0, 2));
  });

  it("says why it is not there", () => {
    const own = { uri: "bolt://db.example:7687", username: "neo4j", password: "p" };
    expect(skipReason({ neo4j: own }, true)).toMatch(/NEO4J_URI/);
    expect(skipReason({ neo4j: undefined }, false)).toMatch(/no Java 21 or 25 is found/);
    expect(skipReason({ neo4j: undefined }, true)).toBeUndefined();
  });
});
