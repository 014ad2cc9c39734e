import { errors, jwtVerify, SignJWT } from "jose";
import { LRUCache } from "lru-cache";
import { Caller, Problem, type ServiceName } from "@ikg/contracts";

/** Name of the header that tells a service who calls. Removed from every request that comes from outside. */
export const internalContextHeader = "x-internal-context";

/** What the gateway states about a request. */
export interface InternalContext {
  /** Undefined for a request to a path that needs no key: nobody is known yet. */
  readonly caller: Caller | undefined;
  /** Address that called the gateway. */
  readonly address: string | undefined;
  /** The alias of the path by which the caller came; undefined for the product's own path. */
  readonly alias: string | undefined;
}

const lifetimeSeconds = 60;
const reuseMs = 30_000;
const maxTexts = 10_000;
const issuer = "ikg-gateway";
const algorithm = "HS256";
const addressClaim = "client_address";
const aliasClaim = "path_alias";

/** Signs who calls, from which address and by which alias, for one service; the caller is undefined where nobody is known. */
export type SignContext = (
  caller: Caller | undefined,
  audience: ServiceName,
  address?: string,
  alias?: string,
) => Promise<string>;

interface Signed {
  readonly text: Promise<string>;
  readonly until: number;
}

/**
 * A signature costs 50-200 µs, so the text of one caller, audience, address and alias is reused for 30 s. It depends on the
 * identity of the caller object: a revoked credential or a changed permission gives a new object, and with it a new text.
 *
 * @param key 32 bytes, INTERNAL_CONTEXT_KEY.
 */
export const signInternalContext = (key: Uint8Array, now: () => number = Date.now): SignContext => {
  const numbers = new WeakMap<Caller, number>();
  let callers = 0;
  const signed = new LRUCache<string, Signed>({ max: maxTexts });
  const numberOf = (caller: Caller): number => {
    const known = numbers.get(caller);
    if (known !== undefined) return known;
    numbers.set(caller, ++callers);
    return callers;
  };
  const sign = (
    caller: Caller | undefined,
    audience: ServiceName,
    address: string | undefined,
    alias: string | undefined,
  ): Promise<string> => {
    const issuedAt = Math.floor(now() / 1000);
    const origin = {
      ...(address === undefined ? {} : { [addressClaim]: address }),
      ...(alias === undefined ? {} : { [aliasClaim]: alias }),
    };
    return new SignJWT({ ...caller, ...origin })
      .setProtectedHeader({ alg: algorithm })
      .setIssuer(issuer)
      .setAudience(audience)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + lifetimeSeconds)
      .sign(key);
  };
  return (caller, audience, address, alias) => {
    const name = `${caller === undefined ? 0 : numberOf(caller)} ${audience} ${address} ${alias}`;
    const kept = signed.get(name);
    if (kept !== undefined && kept.until > now()) return kept.text;
    const text = sign(caller, audience, address, alias);
    signed.set(name, { text, until: now() + reuseMs });
    return text;
  };
};

interface Verified {
  readonly context: InternalContext;
  readonly expires: number;
}

/**
 * Verifies the internal context of a request. A verified text is remembered until it expires.
 *
 * @param key 32 bytes, INTERNAL_CONTEXT_KEY.
 * @param former keys that verify besides, so that processes with the former and with the new key understand each other.
 * @throws Problem `internal_context_invalid` (503) when it is missing, forged, expired or meant for another service. It is
 *   never the fault of the caller's credential, which a 401 would make clients throw away.
 */
export const verifyInternalContext = (
  key: Uint8Array,
  audience: ServiceName,
  former: readonly Uint8Array[] = [],
  now: () => number = Date.now,
): ((text: string | undefined) => Promise<InternalContext>) => {
  const keys = [key, ...former];
  const verified = new LRUCache<string, Verified>({ max: maxTexts });
  return async (text) => {
    if (text === undefined || text === "") throw contextInvalid(new Error("missing"));
    const kept = verified.get(text);
    if (kept !== undefined) {
      if (kept.expires > now()) return kept.context;
      verified.delete(text);
      throw contextInvalid(new Error("expired"));
    }
    const entry = await verify(keys, audience, text, now());
    verified.set(text, entry);
    return entry.context;
  };
};

const contextInvalid = (cause: unknown): Problem =>
  new Problem("internal_context_invalid", { headers: { "Retry-After": "5" }, cause });

/** @returns the payload that the first key verifies which signed it. */
const payloadOf = async (keys: readonly Uint8Array[], audience: ServiceName, text: string, at: number) => {
  let failure: unknown;
  for (const key of keys) {
    try {
      const { payload } = await jwtVerify(text, key, {
        issuer,
        audience,
        algorithms: [algorithm],
        requiredClaims: ["exp"],
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
  keys: readonly Uint8Array[],
  audience: ServiceName,
  text: string,
  at: number,
): Promise<Verified> => {
  try {
    const {
      [addressClaim]: address,
      [aliasClaim]: alias,
      ...payload
    } = await payloadOf(keys, audience, text, at);
    return {
      context: {
        caller: "kind" in payload ? Caller.parse(payload) : undefined,
        address: typeof address === "string" ? address : undefined,
        alias: typeof alias === "string" ? alias : undefined,
      },
      expires: (payload.exp ?? 0) * 1000,
    };
  } catch (cause) {
    throw contextInvalid(cause);
  }
};
