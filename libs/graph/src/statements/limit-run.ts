import { StatementTimeout } from "../errors.ts";
import type { SentOptions } from "./read.ts";

/**
 * Runs a statement that the server has not planned yet, within a limit that begins when it is planned: how long that takes says nothing
 * about its rows.
 *
 * @param runMs the limit in milliseconds, read when it begins. Undefined: that of the options alone.
 * @throws StatementTimeout when the limit has passed; otherwise as `run`.
 */
export const limitRun = async <T>(
  options: SentOptions,
  runMs: (() => number) | undefined,
  run: (options: SentOptions) => Promise<T>,
): Promise<T> => {
  if (runMs === undefined) return run(options);
  const { signal, onPlanned } = options;
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const begin = (): void => {
    const ms = runMs();
    timer = setTimeout(() => late.abort(new StatementTimeout(ms)), ms);
  };
  try {
    return await run({
      ...options,
      signal: signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]),
      onPlanned: () => {
        if (timer === undefined) begin();
        onPlanned?.();
      },
    });
  } finally {
    clearTimeout(timer);
  }
};
