import {
  type CredentialOwner,
  effectiveLimits,
  type LimitBounds,
  Problem,
  type ProjectLimits,
} from "@ikg/contracts";
import type { Graph } from "@ikg/graph";
import { CredentialRejected } from "./credential-rejected.ts";
import { hashCredential, sameHash } from "./credential.ts";
import { findCredentials } from "./lookup.ts";
import { batchedLookups } from "./lookup-batches.ts";

/** A stored credential that a caller has proven to hold. */
export interface LoadedCredential {
  readonly caller: CredentialOwner;
  /** Undefined for a service account. */
  readonly limits: ProjectLimits | undefined;
  /** Expiry of the credential itself, milliseconds. */
  readonly expires: number;
  /** When it was read, milliseconds. */
  readonly readAt: number;
}

/** Undefined when no credential has the key id. */
export type LoadResult = LoadedCredential | CredentialRejected | undefined;

export const isLoaded = (result: LoadResult): result is LoadedCredential =>
  result !== undefined && !(result instanceof Error);

export interface CredentialStore {
  readonly graph: Graph;
  /** 32 bytes, CREDENTIAL_PEPPER. */
  readonly pepper: Uint8Array;
  /** Credentials that were hashed under these are valid as well. */
  readonly formerPeppers?: readonly Uint8Array[];
  /** Limits of projects that the operator sets; the built-in ones when unset. */
  readonly limits?: LimitBounds;
}

/** @throws Problem `credential_not_judged` (503) when the stored credential cannot be read. */
export type LoadCredential = (token: string, kid: string, requestId?: string) => Promise<LoadResult>;

/** Reads stored credentials by key id, several in one statement, and compares the hash of what the caller sent. */
export const credentialLoader = (
  { graph, pepper, formerPeppers = [], limits }: CredentialStore,
  now: () => number,
): LoadCredential => {
  const find = batchedLookups((kids, requestId) => findCredentials(graph.shared, kids, requestId), now);
  const peppers = [pepper, ...formerPeppers];
  return async (token, kid, requestId) => {
    try {
      const { stored, readAt } = await find(kid, requestId);
      if (stored === undefined) return undefined;
      const { caller, expires, tokenHash } = stored;
      const isHash = (by: Uint8Array): boolean => sameHash(hashCredential(token, by), tokenHash);
      if (!peppers.some(isHash)) return new CredentialRejected(caller, "wrong secret");
      return {
        caller,
        limits: caller.kind === "agent" ? effectiveLimits(stored.limits, limits) : undefined,
        expires,
        readAt,
      };
    } catch (cause) {
      if (cause instanceof Problem && cause.code === "credential_not_judged") throw cause;
      throw new Problem("credential_not_judged", { headers: { "Retry-After": "5" }, cause });
    }
  };
};
