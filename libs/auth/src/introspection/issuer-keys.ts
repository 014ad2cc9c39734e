import { errors } from "jose";
import { type Breaker, type Egress, EgressError } from "@ikg/egress";
import { bearerNotJudged } from "./challenge.ts";
import { type KeyFinder, keySetOf, keysOf } from "./keys.ts";

const discoveryMs = 3_600_000;
const freshMs = 600_000;
const usableMs = 86_400_000;
const cooldownMs = 30_000;

interface Fetched<T> {
  readonly value: T;
  readonly at: number;
}

const httpsOnly = (egress: Egress, text: unknown): string => {
  if (
    typeof text !== "string" ||
    !(text.startsWith("https://") || (egress.rules.allowHttp && text.startsWith("http://")))
  )
    throw new EgressError("invalid_json");
  return text;
};

/**
 * Keys that an issuer publishes (runtime specification 2.6): found by its discovery document, kept for 10 minutes,
 * asked for again for a `kid` that nobody knows, at most every 30 s. While the issuer is away, keys of at most a day
 * go on serving the tokens that name them; an unknown `kid` is then not judged.
 *
 * @param breaker one per issuer.
 */
export const issuerKeys = (
  issuer: string,
  egress: Egress,
  breaker: Breaker,
  now: () => number,
): KeyFinder => {
  let discovered: Fetched<string> | undefined;
  let kept: Fetched<KeyFinder> | undefined;
  let refreshing: Promise<void> | undefined;
  let tried = -Infinity;
  let failure: unknown;

  const jwksUri = async (): Promise<string> => {
    if (discovered !== undefined && now() - discovered.at < discoveryMs) return discovered.value;
    const document = await egress.getJson(`${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`);
    if (document["issuer"] !== issuer) throw new EgressError("invalid_json");
    discovered = { value: httpsOnly(egress, document["jwks_uri"]), at: now() };
    return discovered.value;
  };

  const fetchKeys = async (): Promise<void> => {
    const set = keySetOf(await egress.getJson(await jwksUri()));
    if (set === undefined) throw new EgressError("invalid_json");
    kept = { value: keysOf(set), at: now() };
  };

  /** Asks the issuer; what fails is remembered and left to the caller to weigh. */
  const refresh = async (): Promise<void> => {
    tried = now();
    try {
      await breaker.run(fetchKeys);
      failure = undefined;
    } catch (error) {
      failure = error;
    }
  };
  const refreshOnce = (): Promise<void> =>
    (refreshing ??= refresh().finally(() => {
      refreshing = undefined;
    }));

  const mayAsk = (): boolean => refreshing !== undefined || now() - tried >= cooldownMs;

  return async (header, token) => {
    const age = kept === undefined ? Infinity : now() - kept.at;
    if (age > freshMs && (age > usableMs || mayAsk())) await refreshOnce();
    if (kept === undefined || now() - kept.at > usableMs) throw bearerNotJudged(failure);
    try {
      return await kept.value(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      if (mayAsk()) await refreshOnce();
      if (failure !== undefined) throw bearerNotJudged(failure);
      return kept.value(header, token);
    }
  };
};
