import type { KeyObject } from "node:crypto";
import type { Caller, ServiceName } from "@ikg/contracts";
import { type JWTPayload, SignJWT } from "jose";
import { LRUCache } from "lru-cache";
import {
  algorithm,
  type CallTarget,
  type ContextIssuer,
  contextIssuers,
  lifetimeSeconds,
  type McpOrigin,
} from "./context.ts";

const reuseMs = 30_000;
const maxTexts = 10_000;

/**
 * Signs the caller, its address, the alias of the path, and what came to mcp, for one endpoint; the caller is undefined on
 * paths without a key.
 */
export type SignContext = (
  caller: Caller | undefined,
  target: CallTarget,
  address?: string,
  alias?: string,
  origin?: McpOrigin,
) => Promise<string>;

interface Signed {
  readonly text: Promise<string>;
  readonly until: number;
}

/**
 * Remembers what was signed for one caller, endpoint, address and alias for 30 s: a signature costs 130 µs. It depends on
 * the identity of the caller object: a revoked credential or a changed permission gives a new object, and with it a new text.
 */
export const rememberSigned = (sign: SignContext, now: () => number = Date.now): SignContext => {
  const numbers = new WeakMap<Caller, number>();
  let callers = 0;
  const signed = new LRUCache<string, Signed>({ max: maxTexts });
  const numberOf = (caller: Caller): number => {
    const known = numbers.get(caller);
    if (known !== undefined) return known;
    numbers.set(caller, ++callers);
    return callers;
  };
  return (caller, target, address, alias, origin) => {
    const number = caller === undefined ? 0 : numberOf(caller);
    const { service, method, route } = target;
    const name = `${number} ${service} ${method} ${route} ${address} ${alias} ${origin?.bearer} ${origin?.project}`;
    const kept = signed.get(name);
    if (kept !== undefined && kept.until > now()) return kept.text;
    const text = sign(caller, target, address, alias, origin);
    signed.set(name, { text, until: now() + reuseMs });
    return text;
  };
};

/** From where a request came, in the claims of every context. */
export const originClaims = (address: string | undefined, alias: string | undefined) => ({
  ...(address === undefined ? {} : { client_address: address }),
  ...(alias === undefined ? {} : { path_alias: alias }),
});

/** Signs claims for a service, valid for a minute. @param now milliseconds. */
export const signClaims = (
  claims: JWTPayload,
  {
    key,
    alg,
    issuer,
    service,
    now,
  }: {
    readonly key: KeyObject | Uint8Array;
    readonly alg: string;
    readonly issuer: ContextIssuer;
    readonly service: ServiceName;
    readonly now: number;
  },
): Promise<string> => {
  const issuedAt = Math.floor(now / 1000);
  return new SignJWT(claims)
    .setProtectedHeader({ alg })
    .setIssuer(contextIssuers[issuer])
    .setAudience(service)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + lifetimeSeconds)
    .sign(key);
};

/** @param key the private key of the issuer alone (Ed25519). */
export const signInternalContext = (
  key: KeyObject,
  issuer: ContextIssuer,
  now: () => number = Date.now,
): SignContext =>
  rememberSigned((caller, { service, method, route }, address, alias, origin) => {
    const claims = {
      method,
      route,
      ...(caller === undefined ? {} : { caller }),
      ...originClaims(address, alias),
      ...(origin === undefined ? {} : { mcp_origin: origin }),
    };
    return signClaims(claims, { key, alg: algorithm, issuer, service, now: now() });
  }, now);
