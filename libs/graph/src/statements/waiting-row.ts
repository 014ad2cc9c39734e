import { StatementTimeout } from "../errors.ts";
import type { Params, Row, StatementOptions } from "../types.ts";

/** Runs something in the asynchronous context of a caller. */
export type Within = <T>(work: () => T) => T;

/** One caller that waits for one row. */
export interface WaitingRow {
  /** Its answer carries it. */
  readonly number: number;
  readonly row: Params;
  readonly options: StatementOptions;
  readonly deadline: number;
  readonly since: number;
  /** The asynchronous context of the caller. */
  readonly within: Within;
  /** False once the caller has its answer, stopped waiting, or ran out of time. */
  open: boolean;
  /** True when it ran alone for less than its time, because other rows waited, and is sent once more. */
  isRepeated: boolean;
  /** Called when the caller stops waiting before an answer came. */
  onGone?: () => void;
  settle(answer: { row: Row | undefined } | { error: unknown }): void;
}

/** @param row given its number. */
export const waitForRow = (
  number: number,
  row: Record<string, unknown>,
  options: StatementOptions,
  within: Within,
): { readonly entry: WaitingRow; readonly answer: Promise<Row | undefined> } => {
  const { promise, resolve, reject } = Promise.withResolvers<Row | undefined>();
  const { signal, timeoutMs } = options;
  const leave = (error: unknown): void => {
    entry.settle({ error });
    entry.onGone?.();
  };
  const onAbort = (): void => leave(signal?.reason);
  const timer = setTimeout(() => leave(new StatementTimeout(timeoutMs)), timeoutMs);
  const since = performance.now();
  row["i"] = number;
  const entry: WaitingRow = {
    number,
    row,
    options,
    deadline: since + timeoutMs,
    since,
    within,
    open: true,
    isRepeated: false,
    settle: (answer) => {
      if (!entry.open) return;
      entry.open = false;
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      if ("error" in answer) reject(answer.error);
      else resolve(answer.row);
    },
  };
  signal?.addEventListener("abort", onAbort, { once: true });
  return { entry, answer: promise };
};
