import neo4j, { type Driver } from "neo4j-driver";
import { problemOf, StatementTimeout } from "./errors.ts";
import { parameters } from "./parameters.ts";
import { rowOf } from "./results.ts";
import type { Params, Row, StatementOptions } from "./types.ts";

/** What the server is told about a transaction: its limit, and whose it is. */
export const transactionConfig = ({ timeoutMs, requestId }: StatementOptions) => {
  const timeout = Math.max(1, Math.ceil(timeoutMs));
  return requestId === undefined ? { timeout } : { timeout, metadata: { request_id: requestId } };
};

/**
 * Runs one auto-commit statement in READ mode. The limit is kept here and on the server; whichever comes first
 * ends the call, and closing the session stops a statement that still runs.
 *
 * @throws what `Database.read` says.
 */
export const runRead = (
  driver: Driver,
  database: string,
  text: string,
  params: Params,
  options: StatementOptions,
): Promise<Row[]> =>
  new Promise((resolve, reject) => {
    const { signal, timeoutMs } = options;
    signal?.throwIfAborted();
    const converted = parameters(params);
    // All rows are wanted, so they come in one flight: fetching in slices would add round trips.
    const session = driver.session({ database, defaultAccessMode: neo4j.session.READ, fetchSize: -1 });
    const rows: Row[] = [];
    let open = true;
    const end = (settle: () => void): void => {
      if (!open) return;
      open = false;
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      session.close().catch(() => undefined);
      settle();
    };
    const onAbort = (): void => end(() => reject(signal?.reason));
    const timer = setTimeout(() => end(() => reject(new StatementTimeout(timeoutMs))), timeoutMs);
    signal?.addEventListener("abort", onAbort, { once: true });
    try {
      session.run(text, converted, transactionConfig(options)).subscribe({
        onNext: (record) => {
          if (open) rows.push(rowOf(record));
        },
        onCompleted: () => end(() => resolve(rows)),
        onError: (error) => end(() => reject(problemOf(error, timeoutMs))),
      });
    } catch (error) {
      end(() => reject(error));
    }
  });
