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

  const twice = "Authorization: sent more than once";
  const empty = "Authorization: no token after Bearer";
  const malformed = "Authorization: what follows Bearer is not a token (RFC 6750, section 2.1)";

  it.each([
    [["Bearer a", "Bearer b"], twice],
    [["Basic a", "Bearer b"], twice],
    [["Bearer"], empty],
    [["Bearer "], empty],
    [["bearer   "], empty],
    [["Bearer a b"], malformed],
    [["Bearer a,b"], malformed],
    [['Bearer "a"'], malformed],
    [["Bearer =a"], malformed],
    [["Bearer a\u00e4"], malformed],
  ])("of %j is refused with what is wrong, and nothing of its value", (values, detail) => {
    expect(() => bearerOf(headers(...values))).toThrow(
      expect.objectContaining({
        code: "malformed_bearer",
        status: 400,
        errors: [detail],
        headers: { "WWW-Authenticate": 'Bearer error="invalid_request"' },
      }),
    );
  });
});
