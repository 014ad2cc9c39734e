import { describe, expect, it } from "@jest/globals";
import type { FormField } from "./form-field.ts";
import { jsonFieldErrors, placeErrors } from "./field-errors.ts";

const fields: readonly FormField[] = [
  { kind: "text", name: "name", label: "Name" },
  { kind: "text", name: "issuer", label: "Issuer", path: "jwt_matcher.issuer" },
  { kind: "text", name: "audience", label: "Audience", path: "jwt_matcher.audience" },
  { kind: "json", name: "claims_mapping", label: "Claims" },
];

describe("errors of the API", () => {
  it.each([
    ["name: 2-254 characters", { name: "2-254 characters" }],
    ["jwt_matcher.audience: 1-150 characters", { audience: "1-150 characters" }],
    [
      "jwt_matcher: required, unless there is an opaque_matcher",
      { issuer: expect.stringContaining("required") },
    ],
    [
      "claims_mapping.__proto__: key is reserved",
      { claims_mapping: "claims_mapping.__proto__: key is reserved" },
    ],
  ])("stand at the field that they name: %s", (error, expected) => {
    expect(placeErrors([error], fields, {})).toEqual({ fields: expected, rest: [] });
  });

  it("keep what is about no field, and join those of one", () => {
    expect(placeErrors(["names: taken", "something", "name: short", "name: odd"], fields, {})).toEqual({
      fields: { name: "short; odd" },
      rest: ["names: taken", "something"],
    });
  });
});

describe("a field of JSON", () => {
  it.each([
    ["", false],
    [" ", false],
    ['{"a": 1}', false],
    ["[]", true],
    ["{", true],
  ])("%j is wrong: %s", (text, expected) => {
    expect("claims_mapping" in jsonFieldErrors({ claims_mapping: text }, fields).fields).toBe(expected);
  });
});
