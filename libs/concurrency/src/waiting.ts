/**
 * Waits for shared work until the signal of one caller is aborted. The work itself continues for other callers.
 *
 * @param createError creates the error this caller fails with.
 */
export const untilAborted = async <T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
  createError: () => Error,
): Promise<T> => {
  if (signal === undefined) return work;
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(createError());
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
};

/**
 * Waits for shared work for a limited time. The work itself continues.
 *
 * @param createError creates the error this caller fails with.
 */
export const withTimeout = async <T>(
  work: Promise<T>,
  timeoutMs: number,
  createError: () => Error,
): Promise<T> => {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(createError()), timeoutMs);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
};
