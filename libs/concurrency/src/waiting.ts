/**
 * Waits for shared work until the signal of one caller is aborted. The work itself continues for the others.
 *
 * @param late what this caller fails with then.
 */
export const untilAborted = async <T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
  late: () => Error,
): Promise<T> => {
  if (signal === undefined) return work;
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(late());
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
};

/**
 * Waits for shared work for so long. The work itself continues.
 *
 * @param late what this caller fails with then.
 */
export const withTimeout = async <T>(work: Promise<T>, timeoutMs: number, late: () => Error): Promise<T> => {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(late()), timeoutMs);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
};
