import { decodeJwt } from "jose/jwt/decode";
import type { PersonToken } from "./request-tokens.ts";

/** Claims that name a user to people, the clearest first (OpenID Connect Core, section 5.1). */
const nameClaims = ["email", "preferred_username", "name", "sub"] as const;

const claimsOf = (token: string): Readonly<Record<string, unknown>> => {
  try {
    return decodeJwt(token);
  } catch {
    return {};
  }
};

/** Who is signed in, in the words of the token, which is not verified: only for display. Otherwise the issuer. */
export const userName = ({ accessToken, issuer }: PersonToken): string => {
  const claims = claimsOf(accessToken);
  const values = nameClaims.map((claim) => claims[claim]);
  const name = values.find((each) => typeof each === "string" && each !== "");
  return typeof name === "string" ? name : `a user of ${issuer}`;
};
