import { isJsonObject } from "@ikg/contracts/json-object";
import type { PersonToken } from "./request-tokens.ts";

/** Claims that name a user to people, the clearest first (OpenID Connect Core, section 5.1). */
const nameClaims = ["email", "preferred_username", "name", "sub"] as const;

const claimsOf = (token: string): unknown => {
  try {
    return JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
  } catch {
    return undefined;
  }
};

/** Who is signed in, in the words of the token, which is not verified: only for display. Otherwise the issuer. */
export const userName = ({ accessToken, issuer }: PersonToken): string => {
  const claims = claimsOf(accessToken);
  const named = isJsonObject(claims) ? nameClaims.map((name) => claims[name]) : [];
  const name = named.find((each) => typeof each === "string" && each !== "");
  return typeof name === "string" ? name : `a user of ${issuer}`;
};
