import { Problem } from "@ikg/contracts";
import type { StoredCredential } from "./lookup.ts";

/** Statements that run at one time: few connections of the pool, however many credentials are looked up. */
const statements = 4;
/** Key ids of one statement. */
const batchSize = 100;
/** Look-ups that wait for a statement. */
const maxWaiting = 5_000;

type Find = (kids: readonly string[], requestId?: string) => Promise<ReadonlyMap<string, StoredCredential>>;

/** What a statement said of one key id. */
export interface Lookup {
  /** Undefined when no credential has it. */
  readonly stored: StoredCredential | undefined;
  /** When the statement was sent: what has changed since may be missing. */
  readonly readAt: number;
}

interface Waiting {
  readonly kid: string;
  readonly requestId: string | undefined;
  readonly resolve: (lookup: Lookup) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Looks credentials up, those that come while statements run together in the next ones. A storm of unknown credentials
 * takes four connections of the pool at most, and one that exists waits behind it for some batches, not for every one.
 *
 * @param now milliseconds of any clock
 * @throws Problem `credential_not_judged` (503) when too many wait.
 */
export const batchedLookups = (
  find: Find,
  now: () => number,
): ((kid: string, requestId?: string) => Promise<Lookup>) => {
  const waiting: Waiting[] = [];
  let running = 0;

  const run = async (batch: readonly Waiting[]): Promise<void> => {
    const readAt = now();
    try {
      const found = await find([...new Set(batch.map(({ kid }) => kid))], batch[0]?.requestId);
      for (const { kid, resolve } of batch) resolve({ stored: found.get(kid), readAt });
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  };

  const next = (): void => {
    while (running < statements && waiting.length > 0) {
      running++;
      void run(waiting.splice(0, batchSize)).finally(() => {
        running--;
        next();
      });
    }
  };

  return (kid, requestId) => {
    if (waiting.length >= maxWaiting)
      throw new Problem("credential_not_judged", {
        errors: [`credential look-ups: queue full, at most ${maxWaiting} may wait; retry later`],
        headers: { "Retry-After": "1" },
      });
    return new Promise((resolve, reject) => {
      waiting.push({ kid, requestId, resolve, reject });
      next();
    });
  };
};
