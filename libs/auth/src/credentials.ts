import { hash } from "node:crypto";
import type { Redis } from "ioredis";
import {
  type AgentCaller,
  type Caller,
  effectiveLimits,
  type LimitBounds,
  Problem,
  type ProjectLimits,
  type ServiceAccountCaller,
} from "@ikg/contracts";
import { watchChanges } from "@ikg/changes";
import type { Graph } from "@ikg/graph";
import { boundedMap } from "./bounded-map.ts";
import { CredentialRejected } from "./credential-rejected.ts";
import { type CredentialPrefix, hashCredential, parseCredential, sameHash } from "./credential.ts";
import { concerns } from "./invalidation.ts";
import { findCredentials } from "./lookup.ts";
import { batchedLookups } from "./lookup-batches.ts";

/** What auth writes to the log: never more of a credential than its key id. */
export interface AuthLog {
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

export interface CredentialParts {
  readonly graph: Graph;
  readonly redis: Redis;
  /** 32 bytes, CREDENTIAL_PEPPER. */
  readonly pepper: Uint8Array;
  /** Credentials that were hashed under these are good as well. */
  readonly formerPeppers?: readonly Uint8Array[];
  readonly log: AuthLog;
  /** Limits of projects that the operator sets; the built-in ones when unset. */
  readonly limits?: LimitBounds;
  /** Told of every credential that was asked for: whether it was known. */
  readonly onLookup?: (hit: boolean) => void;
  readonly now?: () => number;
}

/** Judges API keys and service-account tokens. */
export interface Credentials {
  /**
   * @param key value of X-SVC-ClientKey as it came.
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
  /** Limits in force for the project of an agent that `agent` gave. */
  limitsOf(caller: AgentCaller): ProjectLimits;
  /** True when credentials can be looked up; asks with the real statement, so that its plan is there before a caller is. */
  ready(): Promise<boolean>;
  close(): Promise<void>;
}

interface Entry {
  readonly caller: Caller;
  /** Undefined for a service account. */
  readonly limits: ProjectLimits | undefined;
  /** Expiry of the credential itself, milliseconds. */
  readonly expires: number;
  readonly loaded: number;
}

/** What a look at the stored credential came to. */
type Found = Entry | CredentialRejected | undefined;

const isEntry = (found: Found): found is Entry => found !== undefined && !(found instanceof Error);

/** A credential that was refused, and when. */
interface Refused {
  readonly found: CredentialRejected | undefined;
  readonly at: number;
}

const rememberedCredentials = 10_000;
const rememberedRefusals = 10_000;
/** What creates a credential is announced; the lifetime is the fallback for an announcement that was lost. */
const refusalLifetimeMs = 10_000;
/** A key id that no credential has. */
const nobodysKid = "0000000000000000";
/** A revocation is announced; the lifetime is the fallback for an announcement that was lost. */
const announcedLifetimeMs = 30_000;
/** While nobody can announce anything, a revocation must still work within 2 s. */
const unannouncedLifetimeMs = 1_500;

const keyInvalid = (cause?: CredentialRejected): Problem =>
  new Problem("client_key_invalid", { headers: { "WWW-Authenticate": "ClientKey" }, cause });
const accountRequired = (): Problem =>
  new Problem("service_account_required", { headers: { "WWW-Authenticate": "Bearer" } });
const accountInvalid = (cause?: CredentialRejected): Problem =>
  new Problem("service_account_invalid", {
    headers: { "WWW-Authenticate": 'Bearer error="invalid_token"' },
    cause,
  });

export const openCredentials = ({
  graph,
  redis,
  pepper,
  formerPeppers = [],
  log,
  limits,
  onLookup = () => undefined,
  now = Date.now,
}: CredentialParts): Credentials => {
  const entries = boundedMap<string, Entry>(rememberedCredentials);
  const refusals = boundedMap<string, Refused>(rememberedRefusals);
  const limitsOfCallers = new WeakMap<Caller, ProjectLimits>();
  const find = batchedLookups((kids, requestId) => findCredentials(graph.shared, kids, requestId));
  const lookups = new Map<string, Promise<Found>>();
  /** Grows with every announcement: what was asked for before it may be old and is not remembered. */
  let generation = 0;

  const changes = watchChanges(redis, log, {
    onChange: (change) => {
      if (!concerns(change)) return;
      generation++;
      lookups.clear();
      refusals.clear();
      entries.deleteWhere((entry) => concerns(change, entry.caller));
    },
    onGap: () => {
      generation++;
      lookups.clear();
      refusals.clear();
      entries.clear();
    },
  });

  const load = async (token: string, kid: string, requestId?: string): Promise<Found> => {
    try {
      const stored = await find(kid, requestId);
      if (stored === undefined) return undefined;
      const { caller, expires, tokenHash } = stored;
      const isHash = (by: Uint8Array): boolean => sameHash(hashCredential(token, by), tokenHash);
      if (![pepper, ...formerPeppers].some(isHash)) return new CredentialRejected(caller, "wrong secret");
      return {
        caller,
        limits: caller.kind === "agent" ? effectiveLimits(stored.limits, limits) : undefined,
        expires,
        loaded: now(),
      };
    } catch (cause) {
      if (cause instanceof Problem && cause.code === "credential_not_judged") throw cause;
      throw new Problem("credential_not_judged", { headers: { "Retry-After": "5" }, cause });
    }
  };

  const lookUp = async (digest: string, token: string, kid: string, requestId?: string): Promise<Found> => {
    const waiting = lookups.get(digest);
    if (waiting !== undefined) return waiting;
    const before = generation;
    const lookup = load(token, kid, requestId);
    lookups.set(digest, lookup);
    try {
      const found = await lookup;
      if (before !== generation) return found;
      if (isEntry(found)) entries.set(digest, found);
      else refusals.set(digest, { found, at: now() });
      return found;
    } finally {
      if (lookups.get(digest) === lookup) lookups.delete(digest);
    }
  };

  const unexpired = ({ caller, expires }: Entry): Caller | CredentialRejected =>
    expires > now() ? caller : new CredentialRejected(caller, "expired");

  const callerOf = async (
    token: string,
    prefix: CredentialPrefix,
    requestId?: string,
  ): Promise<Caller | CredentialRejected | undefined> => {
    const digest = hash("sha256", token, "base64");
    const kept = entries.get(digest);
    const lifetime = changes.standing() ? announcedLifetimeMs : unannouncedLifetimeMs;
    const known = kept !== undefined && now() - kept.loaded < lifetime;
    onLookup(known);
    if (known) return unexpired(kept);
    const refused = refusals.get(digest);
    if (refused !== undefined && now() - refused.at < Math.min(lifetime, refusalLifetimeMs))
      return refused.found;
    const credential = parseCredential(token);
    if (credential?.prefix !== prefix) return undefined;
    const found = await lookUp(digest, token, credential.kid, requestId);
    if (isEntry(found) && found.limits !== undefined) limitsOfCallers.set(found.caller, found.limits);
    return isEntry(found) ? unexpired(found) : found;
  };

  return {
    agent: async (key, requestId) => {
      const caller = key === undefined ? undefined : await callerOf(key, "ak1", requestId);
      if (caller instanceof CredentialRejected) throw keyInvalid(caller);
      if (caller?.kind !== "agent") throw keyInvalid();
      return caller;
    },
    serviceAccount: async (token, requestId) => {
      if (token === undefined) throw accountRequired();
      const caller = await callerOf(token, "sa1", requestId);
      if (caller instanceof CredentialRejected) throw accountInvalid(caller);
      if (caller?.kind !== "service_account") throw accountInvalid();
      return caller;
    },
    limitsOf: (caller) => limitsOfCallers.get(caller) ?? effectiveLimits(undefined, limits),
    ready: async () => {
      try {
        await findCredentials(graph.shared, [nobodysKid]);
        return true;
      } catch {
        return false;
      }
    },
    close: () => changes.close(),
  };
};
