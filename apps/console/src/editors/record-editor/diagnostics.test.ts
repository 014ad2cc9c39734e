import { describe, expect, it } from "@jest/globals";
import { IkgError } from "@ikg/client";
import { errorOf, placedInJson, refusalOf, warningOf } from "./diagnostics.ts";

describe("a detail of a refusal", () => {
  it.each([
    [
      'policy.condition.cypher: unexpected ")" (line 2, column 14)',
      { path: "policy.condition.cypher", text: 'unexpected ")"', place: { line: 2, column: 14 } },
    ],
    [
      "policy.actions[0]: 2-64 letters",
      { path: "policy.actions[0]", text: "2-64 letters", place: undefined },
    ],
    ["the project is suspended", { path: "", text: "the project is suspended", place: undefined }],
    ["name: a: b", { path: "name", text: "a: b", place: undefined }],
  ])("%j has its path and place", (text, expected) => {
    expect(errorOf(text)).toMatchObject({ severity: "error", ...expected });
  });
});

describe("an answer", () => {
  it("is a list of diagnostics where it refuses the text, and no other one is", () => {
    const details = { code: "unprocessable", status: 422, message: "refused" } as const;
    expect(refusalOf(new IkgError({ ...details, errors: ["policy: empty"] }))).toHaveLength(1);
    expect(refusalOf(new IkgError(details))?.[0]?.text).toBe("refused");
    expect(refusalOf(new IkgError({ ...details, status: 503 }))).toBeUndefined();
    expect(refusalOf(new Error("x"))).toBeUndefined();
  });

  it("has warnings, of any form", () => {
    const warning = {
      code: "unknown-label",
      text: "no node",
      path: "policy.condition.cypher",
      line: 1,
      column: 3,
    };
    expect(warningOf(warning)).toMatchObject({ code: "unknown-label", place: { line: 1, column: 3 } });
    expect(warningOf({ other: 1 })).toMatchObject({ text: '{"other":1}', path: "", place: undefined });
  });
});

describe("diagnostics of a text of JSON", () => {
  const json = '{\n  "condition": {\n    "cypher": "MATCH (n)\\nWHERE"\n  }\n}';

  it.each([
    ["policy.condition.cypher: unexpected end of the text (line 2, column 6)", { line: 3, column: 32 }],
    ["policy.condition.cypher: no MATCH (line 1, column 1)", { line: 3, column: 16 }],
    ["policy.condition: no filter", { line: 2, column: 16 }],
    ["policy_id: no such policy", undefined],
  ])("are where %j is about", (text, expected) => {
    expect(placedInJson(json, "policy", [errorOf(text)])[0]?.place).toEqual(expected);
  });

  it("are at the beginning of a string that is being changed, and no longer one", () => {
    const error = errorOf("policy.cypher: no MATCH (line 1, column 3)");
    expect(placedInJson('{"cypher": "a\nb"}', "policy", [error])[0]?.place).toEqual({ line: 1, column: 12 });
  });
});
