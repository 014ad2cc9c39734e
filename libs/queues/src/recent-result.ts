/** A read, and when it began. */
interface Read<T> {
  readonly beganAt: number;
  readonly result: Promise<T>;
  isUnderWay: boolean;
}

/** The result of a read that many callers need at nearly the same time. */
export interface RecentResult<T> {
  /**
   * The latest result while it is not too old, else a new one. Callers share a read under way.
   *
   * @throws as the read; its failure is kept for no later caller.
   */
  readonly get: () => Promise<T>;
  /** The next call of `get` reads anew. */
  readonly forget: () => void;
}

/**
 * @param maxAgeMs how long a result serves since its read began, in milliseconds.
 * @param now milliseconds of a clock that never goes back.
 */
export const openRecentResult = <T>(
  read: () => Promise<T>,
  maxAgeMs: number,
  now: () => number,
): RecentResult<T> => {
  let latest: Read<T> | undefined;
  const begin = (): Read<T> => {
    const started: Read<T> = { beganAt: now(), result: read(), isUnderWay: true };
    started.result.then(
      () => void (started.isUnderWay = false),
      () => {
        if (latest === started) latest = undefined;
      },
    );
    return started;
  };
  return {
    get: () => {
      if (latest === undefined || !(latest.isUnderWay || now() - latest.beganAt <= maxAgeMs))
        latest = begin();
      return latest.result;
    },
    forget: () => {
      latest = undefined;
    },
  };
};
