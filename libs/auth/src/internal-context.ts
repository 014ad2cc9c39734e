import { jwtVerify, SignJWT } from "jose";
import { Caller, Problem, type ServiceName } from "@ikg/contracts";
import { boundedMap } from "./bounded-map.ts";

/** Name of the header that tells a service who calls. Removed from every request that comes from outside. */
export const internalContextHeader = "x-internal-context";

/** Name of the header that tells a service the address of the caller. Removed like the one above. */
export const clientAddressHeader = "x-internal-client-address";

/** Name of the header that tells a service by which other name its caller came. Removed like the ones above. */
export const aliasHeader = "x-internal-alias";

const lifetimeSeconds = 60;
const reuseMs = 30_000;
const rememberedTexts = 10_000;
const issuer = "ikg-gateway";
const algorithm = "HS256";

interface Signed {
  readonly text: Promise<string>;
  readonly until: number;
}

/**
 * Signs who calls, for one service (runtime specification 6.7).
 *
 * A signature costs 50-200 µs, so the text of one caller and audience is reused for 30 s. It hangs on the caller
 * object itself: a revoked credential or a changed permission gives a new object, and with it a new text.
 *
 * @param key 32 bytes, INTERNAL_CONTEXT_KEY.
 */
export const signInternalContext = (
  key: Uint8Array,
  now: () => number = Date.now,
): ((caller: Caller, audience: ServiceName) => Promise<string>) => {
  const signed = new WeakMap<Caller, Map<ServiceName, Signed>>();
  const sign = (caller: Caller, audience: ServiceName): Promise<string> => {
    const issuedAt = Math.floor(now() / 1000);
    return new SignJWT({ ...caller })
      .setProtectedHeader({ alg: algorithm })
      .setIssuer(issuer)
      .setAudience(audience)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + lifetimeSeconds)
      .sign(key);
  };
  return (caller, audience) => {
    let perAudience = signed.get(caller);
    if (perAudience === undefined) signed.set(caller, (perAudience = new Map()));
    const kept = perAudience.get(audience);
    if (kept !== undefined && kept.until > now()) return kept.text;
    const text = sign(caller, audience);
    perAudience.set(audience, { text, until: now() + reuseMs });
    return text;
  };
};

interface Verified {
  readonly caller: Caller;
  readonly expires: number;
}

/**
 * Verifies the internal context of a request and returns the caller. A verified text is remembered until it expires.
 *
 * @throws Problem `internal_context_invalid` (401) when it is missing, forged, expired or meant for another service.
 */
export const verifyInternalContext = (
  key: Uint8Array,
  audience: ServiceName,
  now: () => number = Date.now,
): ((text: string | undefined) => Promise<Caller>) => {
  const verified = boundedMap<string, Verified>(rememberedTexts);
  return async (text) => {
    if (text === undefined || text === "") throw new Problem("internal_context_invalid");
    const kept = verified.get(text);
    if (kept !== undefined) {
      if (kept.expires > now()) return kept.caller;
      verified.delete(text);
      throw new Problem("internal_context_invalid");
    }
    const entry = await verify(key, audience, text, now());
    verified.set(text, entry);
    return entry.caller;
  };
};

const verify = async (
  key: Uint8Array,
  audience: ServiceName,
  text: string,
  at: number,
): Promise<Verified> => {
  try {
    const { payload } = await jwtVerify(text, key, {
      issuer,
      audience,
      algorithms: [algorithm],
      requiredClaims: ["exp"],
      currentDate: new Date(at),
    });
    return { caller: Caller.parse(payload), expires: (payload.exp ?? 0) * 1000 };
  } catch (cause) {
    throw new Problem("internal_context_invalid", { cause });
  }
};
