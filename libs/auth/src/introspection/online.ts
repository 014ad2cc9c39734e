import type { JWTPayload } from "jose";
import { untilAborted } from "@ikg/concurrency";
import type { Problem } from "@ikg/contracts";
import { EgressError, type JsonObject } from "@ikg/egress";
import { bearerRefused } from "./challenge.ts";
import { endpointOf } from "./discovery.ts";
import type { Issuer } from "./issuer.ts";
import { checkMembers, requestIntrospection } from "./token-introspection.ts";
import type { IntrospectionConfig, OnlineValidation } from "./types.ts";
import type { UnverifiedToken } from "./unverified.ts";
import { requestUserinfo } from "./userinfo.ts";
import { verifySignature } from "./verify.ts";

export interface OnlineIntrospection {
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

/** Limit of all requests to the issuer for one token. */
const introspectionMs = 5_000;

/** Claims about the token itself, which only the token or its authorization server may state. */
const tokenClaims = ["iss", "aud", "exp", "nbf", "iat", "sub", "auth_time", "acr", "amr", "scope"];

const without = (claims: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(claims).filter(([name]) => !names.includes(name)));

const members = (claims: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(claims).filter(([name]) => names.includes(name)));

/** The token's own claims, after its signature was verified where the issuer publishes keys. */
const ownClaims = async (
  { bearer, issuer }: OnlineIntrospection,
  unverified: UnverifiedToken,
  signal: AbortSignal,
): Promise<JWTPayload> => {
  const document = await issuer.discovery(signal);
  if (document?.["jwks_uri"] !== undefined)
    await untilAborted(
      verifySignature(bearer, issuer.keys),
      signal,
      () => new EgressError("upstream_timeout"),
    );
  return unverified.payload;
};

const userinfoEndpoint = async (
  { online, issuer }: OnlineIntrospection,
  signal: AbortSignal,
): Promise<string> => {
  if (online.userinfoEndpoint !== undefined) return online.userinfoEndpoint;
  return endpointOf(issuer.egress, (await issuer.discovery(signal))?.["userinfo_endpoint"]);
};

/**
 * Introspects a token at its issuer. The signature is verified first, so that forged tokens cause no request to the issuer.
 *
 * @returns claims of the token, overlaid by the claims of the issuer. Userinfo describes the person and adds nothing to
 *   the claims of a JWT about itself; an authorization server may, where the token has no such claim (RFC 9470, section 6.2).
 * @throws Problem `bearer_invalid`; EgressError and CircuitOpen when the token could not be introspected.
 */
export const introspectOnline = async (request: OnlineIntrospection): Promise<JWTPayload> => {
  const { bearer, unverified, config, online, issuer, now, skewSeconds } = request;
  const signal = AbortSignal.timeout(introspectionMs);
  const own = unverified && (await ownClaims(request, unverified, signal));
  if (online.introspection !== undefined) {
    const response = await requestIntrospection(issuer.egress, online.introspection, bearer, signal);
    checkMembers(response, config, now, skewSeconds);
    if (own === undefined) return response;
    if (response["sub"] !== undefined && response["sub"] !== own.sub) throw subjectMismatch();
    return mergeClaims(members(response, tokenClaims), own, without(response, tokenClaims));
  }
  const endpoint = await userinfoEndpoint(request, signal);
  const response = await requestUserinfo(issuer.egress, endpoint, bearer, signal);
  if (own === undefined) return response;
  if (response["sub"] !== own.sub) throw subjectMismatch();
  return mergeClaims(own, without(response, tokenClaims));
};

const subjectMismatch = (): Problem => bearerRefused("sub does not match the issuer's response");

/** Later wins. Made of entries, so that a claim of any name is an own property. */
const mergeClaims = (...layers: readonly JsonObject[]): JsonObject =>
  Object.fromEntries(layers.flatMap((layer) => Object.entries(layer)));
