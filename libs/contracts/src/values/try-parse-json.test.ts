import { describe, expect, it } from "@jest/globals";
import { tryParseJson } from "./try-parse-json.ts";

describe("tryParseJson", () => {
  it("gives the value of any JSON text, null included", () => {
    expect(['{"a":[1]}', "null", '"x"'].map(tryParseJson)).toEqual([{ a: [1] }, null, "x"]);
  });

  it("gives undefined for other texts", () => {
    expect(["", "{", "x", "01"].map(tryParseJson)).toEqual([undefined, undefined, undefined, undefined]);
  });
});
