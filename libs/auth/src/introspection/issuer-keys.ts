import { errors } from "jose";
import { type Egress, EgressError } from "@ikg/egress";
import { bearerCheckUnavailable } from "./challenge.ts";
import { type Discovery, endpointOf } from "./discovery.ts";
import { type KeyFinder, keySetOf, keysOf } from "./keys.ts";
import { fetchOnce } from "./fetch-once.ts";

const freshMs = 600_000;
const usableMs = 86_400_000;
const cooldownMs = 30_000;
/** Of the document and the keys together. */
const fetchMs = 5_000;

/**
 * Keys that an issuer publishes: found by its discovery document, cached for 10 minutes, fetched again for an unknown `kid`,
 * at most every 30 s. While the issuer is unavailable, cached keys are used for up to a day; a token with an unknown `kid`
 * cannot be verified then.
 *
 * @param egress through the circuit of this issuer.
 */
export const issuerKeys = (discovery: Discovery, egress: Egress, now: () => number): KeyFinder => {
  let kept: { readonly value: KeyFinder; readonly at: number } | undefined;
  let fetchedAt = -Infinity;
  let failure: unknown;

  const fetchKeys = async (signal: AbortSignal): Promise<void> => {
    const document = await discovery(signal);
    const set = keySetOf(await egress.getJson(endpointOf(egress, document?.["jwks_uri"]), { signal }));
    if (set === undefined) throw new EgressError("invalid_json");
    kept = { value: keysOf(set), at: now() };
  };

  /** Requests the keys once for all callers that wait; each of them handles a failure. */
  const refresh = fetchOnce(async (signal) => {
    try {
      await fetchKeys(signal);
      failure = undefined;
    } catch (error) {
      failure = error;
    }
    fetchedAt = now();
  }, fetchMs);

  /** Also true during a request to the issuer: the cooldown begins with its outcome. */
  const mayFetch = (): boolean => now() - fetchedAt >= cooldownMs;

  return async (header, token) => {
    const age = kept === undefined ? Infinity : now() - kept.at;
    if (age > freshMs && (age > usableMs || mayFetch())) await refresh();
    if (kept === undefined || now() - kept.at > usableMs) throw bearerCheckUnavailable(failure);
    try {
      return await kept.value(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      if (mayFetch()) await refresh();
      if (failure !== undefined) throw bearerCheckUnavailable(failure);
      return kept.value(header, token);
    }
  };
};
