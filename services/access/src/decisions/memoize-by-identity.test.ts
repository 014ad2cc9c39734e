import { describe, expect, it } from "@jest/globals";
import { memoizeByIdentity } from "./memoize-by-identity.ts";

describe("memoizing by identity", () => {
  it("makes one result for each object, and not for equal ones", () => {
    const resultOf = memoizeByIdentity((key: { readonly name: string }) => [key.name]);
    const key = { name: "a" };
    const result = resultOf(key);
    expect(result).toEqual(["a"]);
    expect(resultOf(key)).toBe(result);
    expect(resultOf({ name: "a" })).not.toBe(result);
  });

  it("makes the result of all arguments", () => {
    const resultOf = memoizeByIdentity((key: { readonly name: string }, more: string) => [key.name, more]);
    expect(resultOf({ name: "a" }, "b")).toEqual(["a", "b"]);
  });
});
