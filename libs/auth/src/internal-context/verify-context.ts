import type { KeyObject } from "node:crypto";
import { Problem, type ServiceName } from "@ikg/contracts";
import { decodeJwt, errors, jwtVerify } from "jose";
import { LRUCache } from "lru-cache";
import {
  algorithm,
  type CallTarget,
  ContextClaims,
  type ContextIssuer,
  contextIssuers,
  type Endpoint,
  type InternalContext,
  lifetimeSeconds,
} from "./context.ts";
import { isForUser, isMcpCall } from "./mcp-calls.ts";

const maxTexts = 10_000;

/** Public keys by issuer: several of one while its key is rotated, none of an issuer whose contexts are not accepted. */
export type ContextKeys = Readonly<Record<ContextIssuer, readonly KeyObject[]>>;

/**
 * Verifies the internal context of a request for an endpoint.
 *
 * @throws Problem `internal_context_invalid` (503)
 */
export type VerifyContext = (text: string | undefined, endpoint: Endpoint) => Promise<InternalContext>;

interface Verified {
  readonly context: InternalContext;
  readonly target: CallTarget;
  readonly expires: number;
}

export const contextInvalid = (cause: unknown): Problem =>
  new Problem("internal_context_invalid", { headers: { "Retry-After": "5" }, cause });

/** The unverified issuer of a text, which selects the keys that verify it. */
const issuerOf = (text: string): ContextIssuer => {
  const { iss } = decodeJwt(text);
  if (iss === contextIssuers.gateway) return "gateway";
  if (iss === contextIssuers.mcp) return "mcp";
  throw new Error("unknown issuer");
};

/** @returns the payload that the first key verifies which signed it. */
const payloadOf = async (
  keys: readonly KeyObject[],
  issuer: ContextIssuer,
  audience: ServiceName,
  text: string,
  at: number,
) => {
  let failure: unknown = new Error(`no public key of ${issuer}`);
  for (const key of keys) {
    try {
      const { payload } = await jwtVerify(text, key, {
        issuer: contextIssuers[issuer],
        audience,
        algorithms: [algorithm],
        requiredClaims: ["iat", "exp"],
        currentDate: new Date(at),
      });
      return payload;
    } catch (cause) {
      failure = cause;
      if (!(cause instanceof errors.JWSSignatureVerificationFailed)) break;
    }
  }
  throw failure;
};

const verify = async (
  keys: ContextKeys,
  service: ServiceName,
  text: string,
  at: number,
): Promise<Verified> => {
  const issuer = issuerOf(text);
  const { iat = 0, exp = 0, ...payload } = await payloadOf(keys[issuer], issuer, service, text, at);
  if (exp - iat > lifetimeSeconds) throw new Error("lifetime too long");
  const claims = ContextClaims.parse(payload);
  const target = { service, method: claims.method, route: claims.route };
  if (issuer === "mcp" && !isMcpCall(claims.caller, target)) throw new Error("not a call of mcp");
  // A context that names a user comes from mcp, and its origin is verified as well: `verifyMcpOrigin`.
  if (issuer === "gateway" && isForUser(claims.caller)) throw new Error("the gateway names no user");
  const { caller, client_address: address, path_alias: alias, mcp_origin: origin } = claims;
  return {
    context: { caller, address, alias, ...(origin === undefined ? {} : { origin }) },
    target,
    expires: exp * 1000,
  };
};

/**
 * A verified text is cached until it expires: its signature covers every claim, and the endpoint is compared each time.
 *
 * A context that is missing, forged, expired, or meant for another service or endpoint is 503. It is never the fault of the
 * caller's credential, which clients would discard after a 401.
 */
export const verifyInternalContext = (
  keys: ContextKeys,
  service: ServiceName,
  now: () => number = Date.now,
): VerifyContext => {
  const verified = new LRUCache<string, Verified>({ max: maxTexts });
  const entryOf = async (text: string): Promise<Verified> => {
    const kept = verified.get(text);
    if (kept === undefined) {
      const entry = await verify(keys, service, text, now());
      verified.set(text, entry);
      return entry;
    }
    if (kept.expires > now()) return kept;
    verified.delete(text);
    throw new Error("expired");
  };
  return async (text, { method, route }) => {
    try {
      if (text === undefined || text === "") throw new Error("missing");
      const { context, target } = await entryOf(text);
      if (target.method !== method || target.route !== route) throw new Error("for another endpoint");
      return context;
    } catch (cause) {
      throw contextInvalid(cause);
    }
  };
};
