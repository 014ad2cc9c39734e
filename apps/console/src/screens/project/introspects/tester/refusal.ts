import type { TokenIntrospectRecord } from "@ikg/client";
import { displayText } from "../../../../parts/display-text.ts";
import type { ReadToken } from "./read-token.ts";

/** What to correct, for each reason that the suite has for not accepting a token. */
const corrections: Readonly<Record<string, string>> = {
  expired: "Its time is over. Get a new one from the issuer.",
  "exp missing": "A token without an end is not accepted: the issuer has to state exp.",
  "not yet valid": "Its claim nbf lies ahead. Compare the clock of the issuer with that of the suite.",
  "issued in the future": "Its claim iat lies ahead. Compare the clock of the issuer with that of the suite.",
  "signature not valid": "It was not signed with the key that its header names, or was changed afterwards.",
  "unknown key":
    "No key of the issuer has the kid that its header names. State the key, or have the issuer publish it.",
  "key not usable": "The key of the issuer does not fit the algorithm of the token.",
  "algorithm not allowed":
    "Tokens are verified by public keys: RS, PS and ES of 256 to 512 bits, and Ed25519.",
  "type not allowed": "The typ of its header is one of an access token: JWT or at+jwt.",
  "critical header not supported": "Its header has crit, which the suite does not know.",
  malformed: "It is no JWT that can be read.",
  "too long": "It is longer than the headers of a request may be.",
  "sub does not match the issuer's response":
    "The issuer returned another subject for this token than its claim sub names.",
  "iss does not match the configuration":
    "The issuer returned another iss for this token than the token introspect has.",
  "aud does not match the configuration":
    "The issuer returned no aud for this token that the token introspect has.",
  "not active": "The issuer says that it is revoked or over.",
  "refused by its issuer": "The issuer does not accept it.",
  "a key or service-account token is not a user's token":
    "It is a key of an application or the token of a service account. Paste the token of a person.",
};

const shown = (value: unknown): string =>
  typeof value === "string" ? displayText(value, 120) : displayText(JSON.stringify(value) ?? "missing", 120);

const unmatched = (token: ReadToken | undefined): string => {
  if (token === undefined) return "It is no JWT, and no token introspect takes tokens that are none.";
  const { iss, aud, sub } = token.claims;
  if (typeof sub !== "string") return "It has no claim sub, which every JWT of a person has.";
  return `No token introspect has the issuer ${shown(iss)} and the audience ${shown(aud)}. Both are compared character by character.`;
};

const subjectMissing = (judge: TokenIntrospectRecord | undefined): string => {
  const claim = judge?.sub_claim;
  const name = claim === undefined ? "sub" : typeof claim === "string" ? claim : claim.selector;
  return `It has no text in the claim ${displayText(name, 100)}, which names the subject.`;
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
  judge: TokenIntrospectRecord | undefined,
): string | undefined => {
  if (reason === "no configuration matches") return unmatched(token);
  if (reason === "subject claim missing") return subjectMissing(judge);
  return Object.hasOwn(corrections, reason) ? corrections[reason] : undefined;
};

/** The reason in the message of a refused token; undefined for any other message. */
export const reasonOf = (message: string): string | undefined =>
  /^bearer token not valid: (.+)$/s.exec(message)?.[1];
