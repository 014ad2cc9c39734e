import { describe, expect, it } from "@jest/globals";
import type { TokenIntrospectRecord } from "@ikg/client";
import { introspectOf, readToken, timeOf } from "./read-token.ts";
import { correctionOf, reasonOf } from "./refusal.ts";

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
const tokenOf = (claims: object, header: object = { alg: "ES256" }): string =>
  `${part(header)}.${part(claims)}.c2ln`;

const introspect = (id: string, day: string, fields: object) =>
  ({ id, create_time: `${day}T00:00:00Z`, ...fields }) as unknown as TokenIntrospectRecord;

const jwt = { jwt_matcher: { issuer: "https://a", audience: "shop" } };
const introspects = [
  introspect("later", "2026-02-01", jwt),
  introspect("older", "2026-01-01", jwt),
  introspect("opaque", "2026-03-01", { opaque_matcher: { hint: "partner" } }),
];

describe("what a token says", () => {
  it("is read of JWTs, letters beyond ASCII included", () => {
    expect(readToken(tokenOf({ sub: "ann", name: "Žofie 🙂" }))).toEqual({
      header: { alg: "ES256" },
      claims: { sub: "ann", name: "Žofie 🙂" },
    });
  });

  it.each(["", "ak1_abc", "a.b", "a.b.c", `${part({ typ: "JWT" })}.e30.x`, `${part([1])}.e30.x`])(
    "%j is no JWT",
    (token) => {
      expect(readToken(token)).toBeUndefined();
    },
  );

  it("has times", () => {
    expect(timeOf("exp", 0)).toBe("1970-01-01T00:00:00.000Z");
    expect([timeOf("exp", "0"), timeOf("age", 0), timeOf("exp", 1e300)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe("the token introspect that judges", () => {
  it.each([
    [tokenOf({ iss: "https://a", aud: "shop" }), "older"],
    [tokenOf({ iss: "https://a", aud: ["other", "shop"] }), "older"],
    [tokenOf({ iss: "https://a/", aud: "shop" }), undefined],
    [tokenOf({ iss: "https://a" }), undefined],
    ["opaque-text", "opaque"],
  ])("%s: %s", (token, expected) => {
    expect(introspectOf(readToken(token), introspects)?.id).toBe(expected);
  });
});

describe("a token that is not accepted", () => {
  it.each([
    ["bearer token not valid: expired", "expired"],
    ["client key missing or not valid", undefined],
  ])("%s: reason %s", (message, expected) => {
    expect(reasonOf(message)).toBe(expected);
  });

  it("is explained with what it says itself", () => {
    const token = readToken(tokenOf({ iss: "https://b", aud: ["x"], sub: "ann" }));
    expect(correctionOf("no configuration matches", token, undefined)).toContain(
      'the issuer https://b and the audience ["x"]',
    );
    expect(correctionOf("no configuration matches", readToken(tokenOf({})), undefined)).toContain(
      "no sub claim",
    );
    expect(correctionOf("no configuration matches", undefined, undefined)).toContain("not a JWT");
    const judge = introspect("i", "2026-01-01", { sub_claim: { selector: "uid" } });
    expect(correctionOf("subject claim must be a string of 1 to 256 characters", token, judge)).toContain(
      "the claim uid",
    );
    expect(correctionOf("expired", token, judge)).toContain("has expired");
    expect(correctionOf("constructor", token, judge)).toBeUndefined();
  });
});
