import type { TokenIntrospectRecord } from "@ikg/client";
import { displayText } from "../../../../text/display-text.ts";
import { subjectClaimOf } from "../subject-claim.ts";
import type { ReadToken } from "./read-token.ts";

/** What to correct, by the reason for which the suite does not accept a token. */
const corrections: Readonly<Record<string, string>> = {
  expired: "The token has expired. Get a new one from the issuer.",
  "exp missing": "A token that never expires is not accepted: the issuer must set exp.",
  "not yet valid": "The nbf claim is in the future. Compare the clock of the issuer with that of the suite.",
  "issued in the future":
    "The iat claim is in the future. Compare the clock of the issuer with that of the suite.",
  "signature not valid": "It was not signed with the key that its header names, or was changed afterwards.",
  "unknown key":
    "No key of the issuer has the kid that its header names. Add the key, or have the issuer publish it.",
  "key not usable": "The key of the issuer cannot be used with the algorithm of the token.",
  "algorithm not allowed":
    "Tokens are verified by public keys: RS, PS and ES with 256, 384 or 512 bits, and Ed25519.",
  "type not allowed": "Its typ header is not accepted. It must be JWT or at+jwt.",
  "critical header not supported": "Its header has crit, which the suite does not support.",
  malformed: "It is not a well-formed JWT.",
  "too long": "It is longer than request headers may be.",
  "sub does not match the issuer's response":
    "The issuer returned another subject for this token than its sub claim names.",
  "iss does not match the configuration":
    "The issuer returned another iss for this token than the token introspection has.",
  "aud does not match the configuration":
    "The issuer returned no aud for this token that the token introspection has.",
  "not active": "The issuer says that it has been revoked or has expired.",
  "refused by its issuer": "The issuer does not accept it.",
  "a key or service-account token is not a user's token":
    "It is a key of an application or the token of a service account. Paste the token of a person.",
};

const shown = (value: unknown): string =>
  typeof value === "string" ? displayText(value, 120) : displayText(JSON.stringify(value) ?? "missing", 120);

const unmatched = (token: ReadToken | undefined): string => {
  if (token === undefined) return "It is not a JWT, and no token introspection accepts opaque tokens.";
  const { iss, aud, sub } = token.claims;
  if (typeof sub !== "string") return "It has no sub claim, which every JWT of a person must have.";
  return `No token introspection has the issuer ${shown(iss)} and the audience ${shown(aud)}. Both are compared character by character.`;
};

const invalidSubject = (introspect: TokenIntrospectRecord | undefined): string => {
  const name = subjectClaimOf(introspect?.sub_claim) ?? "sub";
  return `It has no string of 1 to 256 characters in the claim ${displayText(name, 100)}, which names the subject.`;
};

/**
 * What to correct of a token that was not accepted.
 *
 * @param reason of the suite, as `expired`
 * @returns undefined where the reason says it all
 */
export const correctionOf = (
  reason: string,
  token: ReadToken | undefined,
  introspect: TokenIntrospectRecord | undefined,
): string | undefined => {
  if (reason === "no configuration matches") return unmatched(token);
  if (reason === "subject claim must be a string of 1 to 256 characters") return invalidSubject(introspect);
  return Object.hasOwn(corrections, reason) ? corrections[reason] : undefined;
};

/** The reason in the message of a refused token; undefined for any other message. */
export const reasonOf = (message: string): string | undefined =>
  /^bearer token not valid: (.+)$/s.exec(message)?.[1];
