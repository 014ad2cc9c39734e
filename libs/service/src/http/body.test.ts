import { describe, expect, it } from "@jest/globals";
import { parseBody } from "./body.ts";

const json = "application/json";
const bytes = (text: string) => Buffer.from(text);
const nested = (levels: number) => '{"a":'.repeat(levels - 1) + "{}" + "}".repeat(levels - 1);
const nestedArrays = (levels: number) => `{"a":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`;

describe("a body", () => {
  it.each([
    json,
    "application/json; charset=utf-8",
    "application/json;charset=UTF-8",
    "Application/JSON",
    "application/json ; x=y",
  ])("may come as %s", (type) => {
    expect(parseBody(type, bytes('{"a":1}'))).toEqual({ a: 1 });
  });

  it.each([
    undefined,
    "",
    "text/plain",
    "application/x-www-form-urlencoded",
    "application/jsonp",
    "application/json5",
    "text/json",
    "application/problem+json",
  ])("may not come as %s", (type) => {
    expect(() => parseBody(type, bytes("{}"))).toThrow(
      expect.objectContaining({
        code: "malformed_body",
        status: 400,
        errors: ["body: Content-Type application/json expected"],
      }),
    );
  });

  it.each([
    ["", "body: JSON in UTF-8 expected"],
    ["{", "body: JSON in UTF-8 expected"],
    ["{'a':1}", "body: JSON in UTF-8 expected"],
    ['{"a":1,}', "body: JSON in UTF-8 expected"],
    ["{} {}", "body: JSON in UTF-8 expected"],
    ["NaN", "body: JSON in UTF-8 expected"],
    ["[]", "body: object expected"],
    ["null", "body: object expected"],
    ['"text"', "body: object expected"],
    ["1", "body: object expected"],
    [nested(33), "body: at most 32 levels"],
    [nestedArrays(33), "body: at most 32 levels"],
    [`{"a":${"[".repeat(200_000)}${"]".repeat(200_000)}}`, "body: at most 32 levels"],
  ])("is refused: %.20s", (text, reason) => {
    expect(() => parseBody(json, bytes(text))).toThrow(
      expect.objectContaining({ code: "malformed_body", errors: [reason] }),
    );
  });

  it.each([
    ["many objects beside each other", `{"a":[${"{},".repeat(100)}{}]}`],
    ["brackets in texts", JSON.stringify({ a: "[{".repeat(100) })],
    ["both, 32 levels deep", `{"b":"${"[".repeat(100)}","a":${nested(31)}}`],
  ])("may hold %s", (_name, text) => {
    expect(parseBody(json, bytes(text))).toEqual(JSON.parse(text));
  });

  it("must be UTF-8", () => {
    expect(() => parseBody(json, Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))).toThrow(
      "Bad Request",
    );
  });

  it("may begin with a byte order mark and nest 32 levels", () => {
    expect(parseBody(json, bytes("\ufeff{}"))).toEqual({});
    expect(parseBody(json, bytes(nested(32)))).toBeDefined();
    expect(parseBody(json, bytes(nestedArrays(32)))).toBeDefined();
  });

  it("keeps a member of any name as an own property and changes no prototype", () => {
    const body = parseBody(json, bytes('{"__proto__":{"admin":true},"constructor":1,"\\u005f_proto__x":2}'));
    expect(Object.keys(body)).toEqual(["__proto__", "constructor", "__proto__x"]);
    expect(Object.getPrototypeOf(body)).toBe(Object.prototype);
    expect("admin" in {}).toBe(false);
  });
});
