import { type Egress, EgressError, type JsonObject } from "@ikg/egress";
import { fetchOnce } from "./fetch-once.ts";

const freshMs = 3_600_000;
const usableMs = 86_400_000;
const cooldownMs = 30_000;
const timeoutMs = 5_000;

/** The discovery document of an issuer; undefined for an issuer that publishes none. */
export type Discovery = (signal?: AbortSignal) => Promise<JsonObject | undefined>;

/**
 * An endpoint of an external document: https, unless the deployment allows http.
 *
 * @throws EgressError `invalid_json`.
 */
export const endpointOf = (egress: Egress, text: unknown): string => {
  if (
    typeof text !== "string" ||
    !(text.startsWith("https://") || (egress.rules.allowHttp && text.startsWith("http://")))
  )
    throw new EgressError("invalid_json");
  return text;
};

const isAbsent = (error: unknown): boolean =>
  error instanceof EgressError && (error.status === 404 || error.status === 410);

/**
 * The discovery document of an issuer (OpenID Connect Discovery 1.0, section 4), cached for an hour. While the issuer is
 * unavailable, the cached document is used for a day, and is not considered removed before that.
 *
 * @throws EgressError when it cannot be fetched, or names another issuer.
 */
export const discoveryOf = (issuer: string, egress: Egress, now: () => number): Discovery => {
  let kept: { readonly value: JsonObject | undefined; readonly at: number } | undefined;
  let failedAt = -Infinity;

  const fetchDocument = async (signal: AbortSignal): Promise<JsonObject | undefined> => {
    const url = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
    try {
      const document = await egress.getJson(url, { signal });
      if (document["issuer"] !== issuer) throw new EgressError("invalid_json");
      kept = { value: document, at: now() };
    } catch (error) {
      failedAt = now();
      const known = kept?.value !== undefined && now() - kept.at <= usableMs;
      if (!known && !isAbsent(error)) throw error;
      if (!known) kept = { value: undefined, at: now() };
    }
    return kept?.value;
  };

  const fetchDocumentOnce = fetchOnce(fetchDocument, timeoutMs);

  return (signal) => {
    if (kept !== undefined) {
      const age = now() - kept.at;
      const isCoolingDown = now() - failedAt < cooldownMs && age <= usableMs;
      if (isCoolingDown || (kept.value !== undefined && age < freshMs)) return Promise.resolve(kept.value);
    }
    return fetchDocumentOnce(signal);
  };
};
