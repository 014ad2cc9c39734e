import { LRUCache } from "lru-cache";
import type { JWTPayload } from "jose";
import { Problem } from "@ikg/contracts";
import type { AuthLog } from "../credentials.ts";
import { bearerRefused } from "./challenge.ts";
import type { Candidate } from "./choose-config.ts";
import { lastingClaims, type MappedClaims, mappedClaims, subjectOf } from "./claims.ts";
import type { Issuers } from "./issuers.ts";
import { openJudgementSlots } from "./judgement-slots.ts";
import type { KeptAnswer } from "./kept-answers.ts";
import type { OnlineAnswer, OnlineAnswers } from "./online-answers.ts";
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

/** `cached`: the issuer was not asked now, and no signature was verified. */
export interface AcceptedJudgement {
  readonly accepted: AcceptedToken;
  readonly cached: boolean;
}

interface Refusal {
  readonly problem: Problem;
  readonly until: number;
}

export interface TokenJudgeParts {
  readonly issuers: Issuers;
  readonly onlineAnswer: OnlineAnswers;
  readonly log: AuthLog;
  readonly skewSeconds: number;
  /** Called with every token that is judged: whether it had been accepted before. */
  readonly onLookup: (hit: boolean) => void;
  /** Milliseconds. */
  readonly clock: () => number;
}

/** Accepted tokens are kept until the earlier of `exp` and 10 minutes (docs/decisions/0026). */
const keptMs = 600_000;
const maxTokens = 10_000;
/** A token that is sent again is not verified again; its issuer may have published its key meanwhile. */
const refusalMs = 10_000;

/** Judges tokens by one configuration each, and keeps what it accepted and whose signature it refused. */
export class TokenJudge {
  readonly #parts: TokenJudgeParts;
  readonly #accepted = new LRUCache<string, AcceptedToken>({ max: maxTokens });
  /** Tokens whose signature was refused, of configurations that judge offline. */
  readonly #refusals = new LRUCache<string, Refusal>({ max: maxTokens });
  readonly #inSlot = openJudgementSlots();

  constructor(parts: TokenJudgeParts) {
    this.#parts = parts;
  }

  /** @throws what `Introspection.introspect` says, EgressError and CircuitOpen of an issuer that cannot be asked. */
  async judge(candidate: Candidate, now: number): Promise<AcceptedJudgement> {
    const { digest, unverified, config } = candidate;
    const { skewSeconds, onLookup, clock } = this.#parts;
    // Before any cache: an expired token is refused whatever was decided about it before.
    if (unverified !== undefined) precheck(unverified, now, skewSeconds);
    const key = `${digest}/${config.id}/${config.version}`;
    const known = this.#accepted.get(key);
    const isKnown = known !== undefined && known.until > now;
    onLookup(isKnown);
    if (isKnown) return { accepted: known, cached: true };
    const refusal = this.#refusals.get(key);
    if (refusal !== undefined && refusal.until > clock()) throw refusal.problem;
    const { answer, cached } = await this.#inSlot(config.projectId, () => this.#ask(candidate, key, now));
    const accepted = this.#accept(config, answer);
    if (accepted.until > now) this.#accepted.set(key, accepted);
    return { accepted, cached };
  }

  async #ask(candidate: Candidate, key: string, now: number): Promise<OnlineAnswer> {
    const { bearer, unverified, config } = candidate;
    const { online } = config;
    if (online === undefined)
      return { answer: await this.#verifyOffline(candidate, key, now), cached: false };
    const { onlineAnswer, issuers, skewSeconds } = this.#parts;
    return onlineAnswer(key, {
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
  ): Promise<KeptAnswer> {
    // Only an issuer that is asked can judge what is no JWT.
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

  #accept(config: IntrospectionConfig, { payload, until }: KeptAnswer): AcceptedToken {
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
