import { describe, expect, it } from "@jest/globals";
import { omitUndefined } from "./omit-undefined.ts";

describe("omitUndefined", () => {
  it("leaves out fields that are undefined, and keeps all other values in their order", () => {
    const fields = { e: undefined, d: null, c: 0, b: "", a: false, rest: [undefined] };
    const kept = omitUndefined(fields);
    expect(Object.entries(kept)).toEqual([
      ["d", null],
      ["c", 0],
      ["b", ""],
      ["a", false],
      ["rest", [undefined]],
    ]);
    expect("e" in fields).toBe(true);
  });
});
