/** What a turn of a chain took. */
export interface Turn {
  /** Bytes of records that it stored. */
  readonly bytes: number;
  /** There may be more at once. */
  readonly more: boolean;
  /** It signed nothing, so that it does not say whether the key service is slow. */
  readonly isUnsigned?: boolean;
}

export interface FairTurnsParts {
  /** Chains that are served at the same time. */
  readonly atOnce: number;
  /** Never rejects. */
  readonly serve: (chain: string) => Promise<Turn>;
  /** Milliseconds of a clock that only goes forward. */
  readonly now: () => number;
}

export interface FairTurns {
  /** States which chains have records that wait. */
  offer(chains: Iterable<string>): void;
  /** Resolves when the last turn has ended; none begins afterwards. */
  close(): Promise<void>;
}

/** The least that a turn counts: it is a transaction and a signature, however small. */
const minTurnBytes = 64 * 1024;
/** A chain whose last turn took longer is slow: its key service is, for the most part. */
const slowMs = 1_000;

/**
 * Serves chains by the bytes that each had before (start-time fair queueing): a chain with few records is served next
 * after the turns that are under way, however much waits in others. Slow chains have at most half of the places.
 */
export const fairTurns = ({ atOnce, serve, now }: FairTurnsParts): FairTurns => {
  const offered = new Set<string>();
  const slow = new Set<string>();
  const active = new Map<string, Promise<void>>();
  /** Where the last turn of a chain ended, in bytes of virtual time. */
  const ends = new Map<string, number>();
  let virtual = 0;
  let closed = false;

  const startOf = (chain: string): number => Math.max(virtual, ends.get(chain) ?? 0);

  const next = (): string | undefined => {
    let slowPlaces = Math.floor(atOnce / 2);
    for (const chain of active.keys()) if (slow.has(chain)) slowPlaces -= 1;
    let first: string | undefined;
    for (const chain of offered) {
      if (active.has(chain) || (slowPlaces <= 0 && slow.has(chain))) continue;
      if (first === undefined || startOf(chain) < startOf(first)) first = chain;
    }
    return first;
  };

  const turn = async (chain: string): Promise<void> => {
    const start = startOf(chain);
    virtual = start;
    const began = now();
    const { bytes, more, isUnsigned = false } = await serve(chain);
    if (now() - began > slowMs) slow.add(chain);
    else if (!isUnsigned) slow.delete(chain);
    ends.set(chain, start + (bytes === 0 && !more ? 0 : Math.max(bytes, minTurnBytes)));
    if (!more) offered.delete(chain);
    active.delete(chain);
    begin();
  };

  const begin = (): void => {
    while (active.size < atOnce) {
      const chain = closed ? undefined : next();
      if (chain === undefined) return;
      active.set(chain, turn(chain));
    }
  };

  return {
    offer: (chains) => {
      for (const chain of chains) offered.add(chain);
      for (const [chain, end] of ends) if (end <= virtual && !offered.has(chain)) ends.delete(chain);
      begin();
    },
    close: async () => {
      closed = true;
      await Promise.all(active.values());
    },
  };
};
