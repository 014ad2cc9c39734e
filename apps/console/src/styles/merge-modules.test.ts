import { describe, expect, it } from "@jest/globals";
import { mergeModules } from "./merge-modules.ts";

describe("modules of styles", () => {
  it.each([
    ["", "abc", "abc"],
    ["abc", "b", "abc"],
    ["abc", "bx", "abxc"],
    ["abc", "ca", "bca"],
    ["abc", "xa", "xabc"],
    ["abcd", "dba", "cdba"],
  ])("%s and %s come in the order %s", (present, given, expected) => {
    expect(mergeModules(present.split(""), given.split("")).join("")).toBe(expected);
  });
});
