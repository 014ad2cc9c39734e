import { describe, expect, it } from "@jest/globals";
import { stringOrUndefined } from "./string-or-undefined.ts";

describe("a string or undefined", () => {
  it("is a string as it stands, an empty one too", () => {
    expect(["a", ""].map((value) => stringOrUndefined(value))).toEqual(["a", ""]);
  });

  it("is undefined for a value of any other type", () => {
    const values = [undefined, null, 1, true, ["a"], { a: "a" }];
    expect(values.filter((value) => stringOrUndefined(value) !== undefined)).toEqual([]);
  });
});
