import { describe, expect, it } from "@jest/globals";
import { isJsonObject } from "./is-json-object.ts";

describe("an object of JSON", () => {
  it("is neither null, nor an array, nor a scalar", () => {
    expect([{}, { a: 1 }].every((value) => isJsonObject(value))).toBe(true);
    expect([undefined, null, [], "{}", 1, true].some((value) => isJsonObject(value))).toBe(false);
  });
});
