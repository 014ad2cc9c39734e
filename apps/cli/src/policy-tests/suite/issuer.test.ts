import { describe, expect, it } from "@jest/globals";
import type { Claims, Person } from "../file/world.ts";
import { claimsAt, matcherOf, openIssuer } from "./issuer.ts";

const person = (claims: Partial<Claims>): Person => ({
  name: "ann",
  claims: { sub: "ann", ...claims },
  type: "Person",
  place: { file: "a", line: 1, column: 1 },
});
const now = Date.parse("2026-06-01T12:00:00Z");
const seconds = (text: string): number => Date.parse(text) / 1_000;

describe("the claims of a person", () => {
  it("are as old at the moment of the question as they are at the file's now", () => {
    const claims = {
      auth_time: "2026-01-31T08:50:00Z",
      exp: seconds("2026-01-31T10:00:00Z"),
      born: "2000-01-01",
    };
    expect(claimsAt(person(claims), Date.parse("2026-01-31T09:00:00Z"), now)).toMatchObject({
      auth_time: seconds("2026-06-01T11:50:00Z"),
      exp: seconds("2026-06-01T13:00:00Z"),
      born: "2000-01-01",
    });
  });

  it("are as they are written where the file has no now", () => {
    const claims = claimsAt(
      person({ auth_time: "2026-01-31T08:50:00Z", iss: "https://a.example" }),
      undefined,
      now,
    );
    expect(claims).toMatchObject({
      auth_time: seconds("2026-01-31T08:50:00Z"),
      iat: now / 1_000,
      iss: "https://a.example",
      aud: "policy-tests",
    });
  });

  it("go into a token of the issuer that the project trusts", async () => {
    const issuer = await openIssuer();
    const { token, claims } = await issuer.sign(person({ auth_time: now / 1_000 }), now);
    const [, payload = ""] = token.split(".");
    expect(JSON.parse(Buffer.from(payload, "base64url").toString())).toMatchObject({
      sub: "ann",
      iss: matcherOf(person({})).issuer,
      aud: matcherOf(person({})).audience,
    });
    expect(claims["auth_age"]).toBeLessThan(5);
    expect(JSON.parse(issuer.publicJwk)).not.toHaveProperty("d");
  });
});
