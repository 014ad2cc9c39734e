import { LRUCache } from "lru-cache";
import { SingleFlight } from "@ikg/concurrency";
import type { CredentialOwner } from "@ikg/contracts";
import type { CredentialRejected } from "./credential-rejected.ts";
import { isLoaded, type LoadedCredential, type LoadResult } from "./load-credential.ts";

/** A credential that was rejected, or that does not exist, and when. */
interface Rejection {
  readonly result: CredentialRejected | undefined;
  readonly at: number;
}

const maxCredentials = 10_000;
const maxRejections = 10_000;

/**
 * Credentials by the SHA-256 of their text: those that were loaded, those that were rejected, and the loads that are running.
 * What an announcement invalidates meanwhile is answered to those who wait for it and not kept.
 */
export class CredentialCache {
  readonly #loaded = new LRUCache<string, LoadedCredential>({ max: maxCredentials });
  readonly #rejections = new LRUCache<string, Rejection>({ max: maxRejections });
  readonly #loads = new SingleFlight<string, LoadResult>();
  readonly #now: () => number;
  /** Grows with every announcement: a load that began before may be outdated. */
  #generation = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** A credential that was read less than `lifetimeMs` ago. */
  get(digest: string, lifetimeMs: number): LoadedCredential | undefined {
    const credential = this.#loaded.get(digest);
    return credential !== undefined && this.#now() - credential.readAt < lifetimeMs ? credential : undefined;
  }

  /** A rejection less than `lifetimeMs` ago. */
  rejection(digest: string, lifetimeMs: number): Rejection | undefined {
    const rejection = this.#rejections.get(digest);
    return rejection !== undefined && this.#now() - rejection.at < lifetimeMs ? rejection : undefined;
  }

  /** Loads a credential once for all who wait for it, and keeps the result. */
  load(digest: string, load: () => Promise<LoadResult>): Promise<LoadResult> {
    return this.#loads.run(digest, async () => {
      const generation = this.#generation;
      const at = this.#now();
      const result = await load();
      if (generation !== this.#generation) return result;
      if (isLoaded(result)) this.#loaded.set(digest, result);
      else {
        this.#loaded.delete(digest);
        this.#rejections.set(digest, { result, at });
      }
      return result;
    });
  }

  /** Forgets the credentials of these callers; rejections may be outdated by any change. */
  invalidate(isConcerned: (caller: CredentialOwner) => boolean): void {
    this.#forgetLoads();
    for (const [digest, { caller }] of [...this.#loaded.entries()])
      if (isConcerned(caller)) this.#loaded.delete(digest);
  }

  clear(): void {
    this.#forgetLoads();
    this.#loaded.clear();
  }

  #forgetLoads(): void {
    this.#generation++;
    this.#loads.clear();
    this.#rejections.clear();
  }
}
