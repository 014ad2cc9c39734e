import { SingleFlight } from "@ikg/concurrency";
import type { CachedResponse, IssuerResponseCache } from "./issuer-response-cache.ts";
import { introspectOnline, type OnlineIntrospection } from "./online.ts";

export interface OnlineResponse {
  readonly response: CachedResponse;
  /** No request to the issuer was made. */
  readonly isCached: boolean;
}

export type OnlineResponses = (key: string, request: OnlineIntrospection) => Promise<OnlineResponse>;

const requestOnline = async (request: OnlineIntrospection): Promise<OnlineResponse> => {
  const payload = await introspectOnline(request);
  const end = (payload.exp ?? Infinity) * 1000;
  const until = Math.min(end, request.now + request.online.cacheTtl * 1000);
  return { response: { payload, until }, isCached: false };
};

/**
 * The issuer's response about a token, or its last positive one for as long as `cache_ttl` allows. Concurrent callers with
 * the same token share one request.
 *
 * @param cache by SHA-256 of the token, id and version of the configuration.
 */
export const openOnlineResponses = (cache: IssuerResponseCache): OnlineResponses => {
  const flights = new SingleFlight<string, OnlineResponse>();

  const cachedOrRequested = async (key: string, request: OnlineIntrospection): Promise<OnlineResponse> => {
    const cached = await cache.get(key, request.now);
    if (cached !== undefined) return { response: cached, isCached: true };
    const fresh = await requestOnline(request);
    await cache.set(key, request.config.projectId, fresh.response, request.now);
    return fresh;
  };

  return (key, request) =>
    request.online.cacheTtl === 0
      ? requestOnline(request)
      : flights.run(key, () => cachedOrRequested(key, request));
};
