import { describe, expect, it } from "@jest/globals";
import { tokenClaims } from "./token-claims.ts";

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

describe("the claims of a token", () => {
  it("are those that a test needs, in any language", () => {
    const claims = { sub: "ännchen 👩‍👧", auth_time: 1, iat: 2, exp: 3, nbf: 4, jti: "x" };
    expect(tokenClaims(`${encoded({ alg: "ES256" })}.${encoded(claims)}.signature`)).toEqual({
      sub: "ännchen 👩‍👧",
      auth_time: 1,
    });
  });

  it.each([
    "opaque",
    "a.b",
    "a.%%%.c",
    `a.${Buffer.from("[]").toString("base64url")}.c`,
    `a.${encoded({ aud: "x" })}.c`,
  ])("are not known of %s", (token) => {
    expect(tokenClaims(token)).toBeUndefined();
  });
});
