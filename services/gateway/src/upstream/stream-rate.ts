/** Checks whether a streamed body still arrives fast enough. */
export interface StreamRate {
  /**
   * @param bytes that have arrived now.
   * @param isBlocked the service takes no more at the moment: the caller could not have sent more.
   * @returns false when the last whole window was too slow.
   */
  take(bytes: number, isBlocked: boolean): boolean;
}

/**
 * @param bytesPerSecond expected on average of every window; 0 expects none.
 * @param windowMs length of a window.
 */
export const openStreamRate = (
  bytesPerSecond: number,
  windowMs: number,
  now: () => number = () => performance.now(),
): StreamRate => {
  const expected = (bytesPerSecond * windowMs) / 1_000;
  let began = now();
  let taken = 0;
  let wasBlocked = false;
  return {
    take: (bytes, isBlocked) => {
      taken += bytes;
      wasBlocked ||= isBlocked;
      const at = now();
      if (at - began < windowMs) return true;
      const isFast = wasBlocked || taken >= expected;
      began = at;
      taken = 0;
      wasBlocked = false;
      return isFast;
    },
  };
};
