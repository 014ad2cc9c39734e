import { LRUCache } from "lru-cache";
import type { JWTPayload } from "jose";
import { Problem } from "@ikg/contracts";
import type { AuthLog } from "../credentials.ts";
import { bearerRefused } from "./challenge.ts";
import type { Candidate } from "./choose-config.ts";
import { lastingClaims, type MappedClaims, mappedClaims, subjectOf } from "./claims.ts";
import type { Issuers } from "./issuers.ts";
import { openVerificationSlots } from "./verification-slots.ts";
import type { CachedResponse } from "./issuer-response-cache.ts";
import type { OnlineResponse, OnlineResponses } from "./online-responses.ts";
import type { IntrospectionConfig } from "./types.ts";
import { precheck } from "./unverified.ts";
import { verifySignature } from "./verify.ts";

/** A token that was accepted, with what is derived from it once. */
export interface AcceptedToken {
  readonly payload: JWTPayload;
  readonly subject: string;
  readonly mapped: MappedClaims;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly until: number;
}

/** A successful verification. */
export interface Verification {
  readonly accepted: AcceptedToken;
  /** No request to the issuer was made, and no signature was verified. */
  readonly isCached: boolean;
}

interface Refusal {
  readonly problem: Problem;
  readonly until: number;
}

export interface TokenVerifierParts {
  readonly issuers: Issuers;
  readonly onlineResponse: OnlineResponses;
  readonly log: AuthLog;
  readonly skewSeconds: number;
  /** Called for every token, with whether it is in the cache of accepted tokens. */
  readonly onLookup: (hit: boolean) => void;
  /** Milliseconds. */
  readonly clock: () => number;
}

/** Accepted tokens are cached until `exp`, for 10 minutes at most (docs/caching.md). */
const keptMs = 600_000;
const maxTokens = 10_000;
/** How long a refused signature is cached; short, because the issuer may publish the missing key. */
const refusalMs = 10_000;

/** Verifies each token by one configuration, and caches accepted tokens and refused signatures. */
export class TokenVerifier {
  readonly #parts: TokenVerifierParts;
  readonly #accepted = new LRUCache<string, AcceptedToken>({ max: maxTokens });
  /** Tokens whose signature was refused by a configuration for offline validation. */
  readonly #refusals = new LRUCache<string, Refusal>({ max: maxTokens });
  readonly #inSlot = openVerificationSlots();

  constructor(parts: TokenVerifierParts) {
    this.#parts = parts;
  }

  /** @throws the errors of `Introspection.introspect`; EgressError and CircuitOpen when the issuer cannot be reached. */
  async verify(candidate: Candidate, now: number): Promise<Verification> {
    const { digest, unverified, config } = candidate;
    const { skewSeconds, onLookup, clock } = this.#parts;
    // Before any cache: an expired token is refused even when it was accepted before.
    if (unverified !== undefined) precheck(unverified, now, skewSeconds);
    const key = `${digest}/${config.id}/${config.version}`;
    const known = this.#accepted.get(key);
    const isKnown = known !== undefined && known.until > now;
    onLookup(isKnown);
    if (isKnown) return { accepted: known, isCached: true };
    const refusal = this.#refusals.get(key);
    if (refusal !== undefined && refusal.until > clock()) throw refusal.problem;
    const { response, isCached } = await this.#inSlot(config.projectId, () =>
      this.#introspect(candidate, key, now),
    );
    const accepted = this.#accept(config, response);
    if (accepted.until > now) this.#accepted.set(key, accepted);
    return { accepted, isCached };
  }

  async #introspect(candidate: Candidate, key: string, now: number): Promise<OnlineResponse> {
    const { bearer, unverified, config } = candidate;
    const { online } = config;
    if (online === undefined)
      return { response: await this.#verifyOffline(candidate, key, now), isCached: false };
    const { onlineResponse, issuers, skewSeconds } = this.#parts;
    return onlineResponse(key, {
      bearer,
      unverified,
      config,
      online,
      issuer: issuers.of(config),
      now,
      skewSeconds,
    });
  }

  async #verifyOffline(
    { bearer, unverified, config }: Candidate,
    key: string,
    now: number,
  ): Promise<CachedResponse> {
    // A token that is not a JWT can only be introspected by its issuer.
    if (unverified === undefined) throw bearerRefused("malformed");
    const { issuers, clock } = this.#parts;
    try {
      await verifySignature(bearer, issuers.of(config).keys);
    } catch (error) {
      if (error instanceof Problem && error.code === "bearer_invalid")
        this.#refusals.set(key, { problem: error, until: clock() + refusalMs });
      throw error;
    }
    const { payload } = unverified;
    return { payload, until: Math.min((payload.exp ?? 0) * 1000, now + keptMs) };
  }

  #accept(config: IntrospectionConfig, { payload, until }: CachedResponse): AcceptedToken {
    const subject = subjectOf(payload, config);
    const mapped = mappedClaims(payload, config);
    if (mapped.unfit.length > 0)
      this.#parts.log.warn("claims whose type differs from the standard's are omitted", {
        configuration: config.id,
        claims: mapped.unfit,
      });
    return { payload, subject, mapped, claims: lastingClaims(payload, subject, config, mapped), until };
  }
}
