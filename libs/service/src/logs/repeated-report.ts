/**
 * Something that may happen many times in a second and is logged once in a while.
 *
 * @param intervalMs between two log lines about the same fault.
 * @returns a function that calls `write` with the number of times since the last line, at most once in the interval.
 */
export const repeatedReport = (
  now: () => number = Date.now,
  intervalMs = 10_000,
): ((write: (times: number) => void) => void) => {
  let times = 0;
  let next = 0;
  return (write) => {
    times++;
    if (now() < next) return;
    write(times);
    times = 0;
    next = now() + intervalMs;
  };
};
