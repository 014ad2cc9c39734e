import { untilAborted } from "@ikg/concurrency";
import { StatementTimeout } from "../errors.ts";
import type { SentOptions } from "./read.ts";
import type { Row } from "../types.ts";

/** How long a statement may be planned at least, in milliseconds. */
const planMs = 10_000;

/**
 * Runs a read, and has it planned to the end also when its caller has left: otherwise the time that was spent on the plan is lost, and
 * the next statement of the text begins anew, maybe with as little time. It is not carried out then.
 *
 * @param runMs limit of the run in milliseconds from when it is planned.
 */
export const planToEnd = async (
  options: SentOptions,
  run: (options: SentOptions) => Promise<Row[]>,
  runMs?: () => number,
): Promise<Row[]> => {
  const { timeoutMs, signal, onPlanned, onClosing } = options;
  const end = new AbortController();
  const late = Promise.withResolvers<never>();
  const limitTo = (ms: number) => setTimeout(() => late.reject(new StatementTimeout(ms)), ms);
  let timer = limitTo(timeoutMs);
  let isPlanned = false;
  let hasEnded = false;
  let hasLeft = false;
  let closed: Promise<unknown> | undefined;
  const begun = performance.now();
  const running = run({
    ...options,
    timeoutMs: Math.max(timeoutMs, planMs),
    signal: end.signal,
    onPlanned: () => {
      isPlanned = true;
      onPlanned?.();
      if (hasLeft) end.abort();
      else if (runMs !== undefined) {
        clearTimeout(timer);
        timer = limitTo(Math.min(runMs(), timeoutMs - (performance.now() - begun)));
      }
    },
    onClosing: (closing) => {
      closed = closing;
      if (!hasLeft) onClosing?.(closing);
    },
  }).finally(() => {
    hasEnded = true;
  });
  try {
    return await Promise.race([untilAborted(running, signal, () => signal?.reason), late.promise]);
  } catch (error) {
    if (hasEnded) throw error;
    hasLeft = true;
    if (isPlanned) end.abort();
    const ended = running.then(
      () => closed,
      () => closed,
    );
    onClosing?.(ended);
    throw error;
  } finally {
    clearTimeout(timer);
  }
};
