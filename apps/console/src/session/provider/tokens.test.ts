import { describe, expect, it } from "@jest/globals";
import { strengthParameters } from "./tokens.ts";

describe("an authorization request", () => {
  it("names the demanded authentication contexts and age, where there are any", () => {
    expect(strengthParameters({ acrValues: ["phr", "phrh"], maxAge: 600 })).toEqual({
      acr_values: "phr phrh",
      max_age: "600",
    });
    expect(strengthParameters({ acrValues: [], maxAge: undefined })).toEqual({});
  });
});
