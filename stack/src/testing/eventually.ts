import { setTimeout as pause } from "node:timers/promises";
import { inspect } from "node:util";

/** How long `eventually` repeats a call, and how often. */
interface WaitLimits {
  /** In milliseconds. Default: 2,000 */
  readonly withinMs?: number;
  /** Pause between two calls, in milliseconds. Default: 25 */
  readonly everyMs?: number;
}

const maxQuoteLength = 1_000;

/** The result as text; of a long one its beginning and its end, for the last lines of an output say most. */
const quote = (result: unknown): string => {
  const options = { depth: 6, compact: true, breakLength: Infinity, maxStringLength: Infinity };
  const text = inspect(result, options);
  if (text.length <= maxQuoteLength) return text;
  return `${text.slice(0, maxQuoteLength / 2)} … ${text.slice(-maxQuoteLength / 2)}`;
};

/**
 * Repeats a call until its result is as expected. The call runs at least once, and a last time when the time
 * is over.
 *
 * @param isExpected a type predicate narrows the result
 * @returns the expected result
 * @throws Error with the time and the last result, of which it quotes 1,000 characters; whatever the call throws
 */
export function eventually<T, Expected extends T>(
  call: () => T | Promise<T>,
  isExpected: (result: T) => result is Expected,
  limits?: WaitLimits,
): Promise<Expected>;
export function eventually<T>(
  call: () => T | Promise<T>,
  isExpected: (result: T) => boolean,
  limits?: WaitLimits,
): Promise<T>;
export async function eventually<T>(
  call: () => T | Promise<T>,
  isExpected: (result: T) => boolean,
  { withinMs = 2_000, everyMs = 25 }: WaitLimits = {},
): Promise<T> {
  const until = performance.now() + withinMs;
  for (;;) {
    const result = await call();
    if (isExpected(result)) return result;
    if (performance.now() > until)
      throw new Error(`Not as expected within ${withinMs} ms. Last result: ${quote(result)}`);
    await pause(everyMs);
  }
}
