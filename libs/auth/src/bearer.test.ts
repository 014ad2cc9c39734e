import { describe, expect, it } from "@jest/globals";
import { bearerOf } from "./bearer.ts";

const headers = (...values: string[]): string[] => [
  "Host",
  "x",
  ...values.flatMap((value) => ["AUTHORIZATION", value]),
];

describe("the bearer of a request", () => {
  it.each([
    [["Bearer abc.def-g_h~i+j/k=="], "abc.def-g_h~i+j/k=="],
    [["bearer abc"], "abc"],
    [["BEARER   abc"], "abc"],
    [[], undefined],
    [[""], undefined],
    [["Basic dXNlcjpw"], undefined],
    [["Bearerabc"], undefined],
  ])("of %j is %j", (values, expected) => {
    expect(bearerOf(headers(...values))).toBe(expected);
  });

  it.each([
    [["Bearer a", "Bearer b"]],
    [["Basic a", "Bearer b"]],
    [["Bearer"]],
    [["Bearer "]],
    [["Bearer a b"]],
    [["Bearer a,b"]],
    [['Bearer "a"']],
    [["Bearer =a"]],
    [["Bearer a\u00e4"]],
  ])("of %j is broken", (values) => {
    expect(() => bearerOf(headers(...values))).toThrow(
      expect.objectContaining({
        code: "malformed_bearer",
        status: 400,
        headers: { "WWW-Authenticate": 'Bearer error="invalid_request"' },
      }),
    );
  });
});
