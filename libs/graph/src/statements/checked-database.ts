import { untilAborted, withTimeout } from "@ikg/concurrency";
import { versionUnavailable } from "../schema/own-schema.ts";
import type { Database, StatementOptions } from "../types.ts";

/** Undefined where statements may be sent at once; otherwise settles when it is known whether they may. */
type Check = () => Promise<void> | undefined;

/** Waits for the result of a check within the limit of the call, then sends with what is left of it. */
const sendChecked = async <T>(
  passed: Promise<void>,
  options: StatementOptions,
  send: (options: StatementOptions) => Promise<T>,
): Promise<T> => {
  const { timeoutMs, signal } = options;
  const begunAt = performance.now();
  const inTime = withTimeout(passed, timeoutMs, () => versionUnavailable());
  await untilAborted(inTime, signal, () => signal?.reason);
  const leftMs = Math.max(1, timeoutMs - (performance.now() - begunAt));
  return send({ ...options, timeoutMs: leftMs });
};

/** A database each of whose statements and transactions is sent only when a check before it passes. */
export const checkedDatabase = (database: Database, check: Check): Database => {
  const send = <T>(
    options: StatementOptions,
    work: (options: StatementOptions) => Promise<T>,
  ): Promise<T> => {
    const passed = check();
    // Without a promise in between where nothing has to be waited for.
    return passed === undefined ? work(options) : sendChecked(passed, options, work);
  };
  return {
    read: (text, params, options) => send(options, (left) => database.read(text, params, left)),
    write: (work, options) => send(options, (left) => database.write(work, left)),
    writeOnce: (text, params, options) => send(options, (left) => database.writeOnce(text, params, left)),
    readRow: (text, row, options) => send(options, (left) => database.readRow(text, row, left)),
  };
};
