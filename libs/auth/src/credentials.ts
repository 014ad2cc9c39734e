import { hash } from "node:crypto";
import type { Redis } from "ioredis";
import {
  type AgentCaller,
  type CredentialOwner,
  effectiveLimits,
  Problem,
  type ProjectLimits,
  type ServiceAccountCaller,
} from "@ikg/contracts";
import { watchChanges } from "@ikg/announcements";
import { RefreshAhead } from "@ikg/concurrency";
import { lifetimeMsBy } from "./announced-lifetime.ts";
import { CredentialCache } from "./credential-cache.ts";
import { CredentialRejected } from "./credential-rejected.ts";
import { type CredentialPrefix, parseCredential } from "./credential.ts";
import { concerns } from "./invalidation.ts";
import {
  credentialLoader,
  type CredentialStore,
  isLoaded,
  type LoadCredential,
  type LoadedCredential,
  type LoadResult,
} from "./load-credential.ts";
import { findCredentials } from "./lookup.ts";

/** The log of this package, which never contains more of a credential than its key id. */
export interface AuthLog {
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

export interface CredentialParts extends CredentialStore {
  readonly redis: Redis;
  readonly log: AuthLog;
  /** Called with every lookup of a credential: whether it was cached. */
  readonly onLookup?: (hit: boolean) => void;
  readonly now?: () => number;
}

/** Authenticates API keys and service-account tokens. */
export interface Credentials {
  /**
   * @param key value of X-SVC-ClientKey as received.
   * @throws Problem `client_key_invalid` (401), one message for every cause, a `CredentialRejected` as its own when the
   *   key id is known; `credential_not_judged` (503).
   */
  agent(key: string | undefined, requestId?: string): Promise<AgentCaller>;
  /**
   * @param token the bearer of a call to /configs.
   * @throws Problem `service_account_required` or `service_account_invalid` (401), with the same cause;
   *   `credential_not_judged` (503).
   */
  serviceAccount(token: string | undefined, requestId?: string): Promise<ServiceAccountCaller>;
  /** When the token of an account that `serviceAccount` returned expires, in milliseconds since the epoch; Infinity: never. */
  expiryOf(caller: ServiceAccountCaller): number;
  /** Limits in force for the project of an agent that `agent` gave. */
  limitsOf(caller: AgentCaller): ProjectLimits;
  /** True when credentials can be looked up. Runs the real statement, so that its plan is cached before the first caller comes. */
  ready(): Promise<boolean>;
  close(): Promise<void>;
}

/** What creates a credential is announced; the lifetime is the fallback for an announcement that was lost. */
const refusalLifetimeMs = 10_000;
/** Credentials that are read ahead at a time: first look-ups do not wait behind them for long. */
const readsAhead = 100;
/** A key id that no credential has. */
const unusedKid = "0000000000000000";
const keyInvalid = (cause?: CredentialRejected): Problem =>
  new Problem("client_key_invalid", { headers: { "WWW-Authenticate": "ClientKey" }, cause });
const accountRequired = (): Problem =>
  new Problem("service_account_required", { headers: { "WWW-Authenticate": "Bearer" } });
const accountInvalid = (cause?: CredentialRejected): Problem =>
  new Problem("service_account_invalid", {
    headers: { "WWW-Authenticate": 'Bearer error="invalid_token"' },
    cause,
  });

type AuthenticationResult = CredentialOwner | CredentialRejected | undefined;

/** Finds the callers of credentials, in the cache or in the database. */
class CredentialLookup {
  readonly #onLookup: (hit: boolean) => void;
  readonly #now: () => number;
  readonly #cache: CredentialCache;
  readonly #load: LoadCredential;
  readonly #refreshAhead: RefreshAhead<LoadedCredential>;
  readonly #changes: ReturnType<typeof watchChanges>;
  readonly #limits = new WeakMap<CredentialOwner, ProjectLimits>();
  readonly #expiries = new WeakMap<CredentialOwner, number>();

  constructor(parts: CredentialParts) {
    const { redis, log, onLookup = () => undefined, now = Date.now } = parts;
    const cache = new CredentialCache(now);
    this.#onLookup = onLookup;
    this.#now = now;
    this.#cache = cache;
    this.#load = credentialLoader(parts, now);
    this.#refreshAhead = new RefreshAhead(now, readsAhead);
    this.#changes = watchChanges(redis, log, {
      onChange: (change) => {
        if (concerns(change)) cache.invalidate((caller) => concerns(change, caller));
      },
      onGap: () => cache.clear(),
    });
  }

  /** @returns undefined when no credential has this text. */
  async callerOf(token: string, prefix: CredentialPrefix, requestId?: string): Promise<AuthenticationResult> {
    const digest = hash("sha256", token, "base64");
    const lifetimeMs = lifetimeMsBy(this.#changes);
    const known = this.#cache.get(digest, lifetimeMs);
    this.#onLookup(known !== undefined);
    if (known !== undefined) {
      this.#refreshAhead.start(known, known.readAt, lifetimeMs, () =>
        this.#read(token, digest, known.caller.credential_kid),
      );
      return this.#unexpired(known);
    }
    const rejection = this.#cache.rejection(digest, Math.min(lifetimeMs, refusalLifetimeMs));
    if (rejection !== undefined) return rejection.result;
    const credential = parseCredential(token);
    if (credential?.prefix !== prefix) return undefined;
    const result = await this.#read(token, digest, credential.kid, requestId);
    return isLoaded(result) ? this.#unexpired(result) : result;
  }

  async #read(token: string, digest: string, kid: string, requestId?: string): Promise<LoadResult> {
    return this.#cache.load(digest, async () => {
      const result = await this.#load(token, kid, requestId);
      if (!isLoaded(result)) return result;
      this.#expiries.set(result.caller, result.expires);
      if (result.limits !== undefined) this.#limits.set(result.caller, result.limits);
      return result;
    });
  }

  expiryOf(caller: CredentialOwner): number {
    return this.#expiries.get(caller) ?? Infinity;
  }

  limitsOf(caller: AgentCaller): ProjectLimits | undefined {
    return this.#limits.get(caller);
  }

  close(): Promise<void> {
    return this.#changes.close();
  }

  #unexpired({ caller, expires }: LoadedCredential): CredentialOwner | CredentialRejected {
    return expires > this.#now() ? caller : new CredentialRejected(caller, "expired");
  }
}

export const openCredentials = (parts: CredentialParts): Credentials => {
  const lookup = new CredentialLookup(parts);
  return {
    agent: async (key, requestId) => {
      const caller = key === undefined ? undefined : await lookup.callerOf(key, "ak1", requestId);
      if (caller instanceof CredentialRejected) throw keyInvalid(caller);
      if (caller?.kind !== "agent") throw keyInvalid();
      return caller;
    },
    serviceAccount: async (token, requestId) => {
      if (token === undefined) throw accountRequired();
      const caller = await lookup.callerOf(token, "sa1", requestId);
      if (caller instanceof CredentialRejected) throw accountInvalid(caller);
      if (caller?.kind !== "service_account") throw accountInvalid();
      return caller;
    },
    expiryOf: (caller) => lookup.expiryOf(caller),
    limitsOf: (caller) => lookup.limitsOf(caller) ?? effectiveLimits(undefined, parts.limits),
    ready: async () => {
      try {
        await findCredentials(parts.graph.shared, [unusedKid]);
        return true;
      } catch {
        return false;
      }
    },
    close: () => lookup.close(),
  };
};
