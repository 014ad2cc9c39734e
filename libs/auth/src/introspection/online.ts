import type { JWTPayload } from "jose";
import { untilAborted } from "@ikg/concurrency";
import { EgressError, type JsonObject } from "@ikg/egress";
import { bearerRefused } from "./challenge.ts";
import { endpointOf } from "./discovery.ts";
import type { Issuer } from "./issuer.ts";
import { askIntrospection, checkMembers } from "./token-introspection.ts";
import type { IntrospectionConfig, OnlineValidation } from "./types.ts";
import type { UnverifiedToken } from "./unverified.ts";
import { askUserinfo } from "./userinfo.ts";
import { verifySignature } from "./verify.ts";

export interface OnlineQuestion {
  readonly bearer: string;
  /** Checked by `precheck`; undefined for an opaque token. */
  readonly unverified: UnverifiedToken | undefined;
  readonly config: IntrospectionConfig;
  readonly online: OnlineValidation;
  readonly issuer: Issuer;
  /** Milliseconds. */
  readonly now: number;
  readonly skewSeconds: number;
}

/** Of everything that one token needs to know from its issuer. */
const questionMs = 5_000;

/** What only the token itself may say, or the server that made it. */
const ofTheToken = ["iss", "aud", "exp", "nbf", "iat", "sub", "auth_time", "acr", "amr", "scope"];

const without = (claims: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(claims).filter(([name]) => !names.includes(name)));

const members = (claims: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(claims).filter(([name]) => names.includes(name)));

/** The token's own claims, after its signature was verified where the issuer publishes keys. */
const ownClaims = async (
  question: OnlineQuestion,
  unverified: UnverifiedToken,
  signal: AbortSignal,
): Promise<JWTPayload> => {
  const { bearer, issuer } = question;
  const document = await issuer.discovery(signal);
  if (document?.["jwks_uri"] !== undefined)
    await untilAborted(
      verifySignature(bearer, issuer.keys),
      signal,
      () => new EgressError("upstream_timeout"),
    );
  return unverified.payload;
};

const userinfoEndpoint = async ({ online, issuer }: OnlineQuestion, signal: AbortSignal): Promise<string> => {
  if (online.userinfoEndpoint !== undefined) return online.userinfoEndpoint;
  return endpointOf(issuer.egress, (await issuer.discovery(signal))?.["userinfo_endpoint"]);
};

/**
 * Introspects a token at its issuer. The signature is verified first, so that a forged token costs the issuer nothing.
 *
 * @returns claims of the token, overlaid by the claims of the issuer. Userinfo describes the person and adds nothing to
 *   the claims of a JWT about itself; an authorization server may, where the token has no such claim (RFC 9470, section 6.2).
 * @throws Problem `bearer_invalid`; EgressError and what the circuit throws when the token was not judged.
 */
export const judgeOnline = async (question: OnlineQuestion): Promise<JWTPayload> => {
  const { bearer, unverified, config, online, issuer, now, skewSeconds } = question;
  const signal = AbortSignal.timeout(questionMs);
  const own = unverified && (await ownClaims(question, unverified, signal));
  if (online.introspection !== undefined) {
    const answer = await askIntrospection(issuer.egress, online.introspection, bearer, signal);
    checkMembers(answer, config, now, skewSeconds);
    if (own === undefined) return answer;
    if (answer["sub"] !== undefined && answer["sub"] !== own.sub) throw bearerRefused("a claim does not fit");
    return merged(members(answer, ofTheToken), own, without(answer, ofTheToken));
  }
  const endpoint = await userinfoEndpoint(question, signal);
  const answer = await askUserinfo(issuer.egress, endpoint, bearer, signal);
  if (own === undefined) return answer;
  if (answer["sub"] !== own.sub) throw bearerRefused("a claim does not fit");
  return merged(own, without(answer, ofTheToken));
};

/** Later wins. Made of entries, so that a claim of any name is an own property. */
const merged = (...layers: readonly JsonObject[]): JsonObject =>
  Object.fromEntries(layers.flatMap((layer) => Object.entries(layer)));
