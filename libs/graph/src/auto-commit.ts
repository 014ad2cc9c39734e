import neo4j, { Neo4jError } from "neo4j-driver";
import {
  commitUnknown,
  isCommitUnknown,
  isConnectionTrouble,
  isNeverSent,
  isRolledBack,
  problemOf,
  StatementTimeout,
} from "./errors.ts";
import { parameters } from "./parameters.ts";
import { bookmarksOf, transactionConfig, withoutTrace } from "./read.ts";
import { rowOf } from "./results.ts";
import type { Params, Row, StatementOptions } from "./types.ts";
import { commitGraceMs, type Target } from "./write.ts";

/**
 * What a failure means when the statement carries its commit with it. Its row comes before the commit, so a failure
 * without one came before; a connection that is lost may have lost the acknowledgement.
 */
const failureOf = (error: unknown, hasRow: boolean, timeoutMs: number): unknown => {
  const isUnknown =
    error instanceof Neo4jError &&
    !isNeverSent(error) &&
    (isConnectionTrouble(error) || (hasRow && !isRolledBack(error)));
  return isUnknown ? commitUnknown(error) : problemOf(error, timeoutMs);
};

/**
 * Runs one auto-commit statement in WRITE mode, once. Whoever stops it waits for what the server says that came of it.
 *
 * @throws what `Database.writeOnce` says.
 */
export const runAutoCommit = (
  target: Target,
  text: string,
  params: Params,
  options: StatementOptions,
): Promise<Row[]> =>
  new Promise((resolve, reject) => {
    const { signal, timeoutMs } = options;
    signal?.throwIfAborted();
    const converted = parameters(params);
    const session = target.driver.session({
      database: target.database,
      defaultAccessMode: neo4j.session.WRITE,
      fetchSize: -1,
      ...bookmarksOf(target, options),
    });
    const rows: Row[] = [];
    let stopped: { readonly reason: unknown } | undefined;
    let grace: NodeJS.Timeout | undefined;
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      clearTimeout(grace);
      signal?.removeEventListener("abort", onAbort);
      session.close().catch(() => undefined);
      settle();
    };
    const stop = (reason: unknown): void => {
      if (stopped !== undefined) return;
      stopped = { reason };
      grace = setTimeout(() => end(() => reject(commitUnknown(reason))), commitGraceMs);
      // Tells the server to end the statement; its answer comes to the observer below.
      session.close().catch(() => undefined);
    };
    const onAbort = (): void => stop(signal?.reason);
    const timer = setTimeout(() => stop(new StatementTimeout(timeoutMs)), timeoutMs);
    signal?.addEventListener("abort", onAbort, { once: true });
    try {
      const result = withoutTrace(() =>
        session.run(target.prefix + text, converted, transactionConfig(options)),
      );
      result.subscribe({
        onNext: (record) => void rows.push(rowOf(record)),
        onCompleted: () => {
          options.onCommit?.({ [target.part]: session.lastBookmarks() });
          // It was committed, but the driver throws away what comes to a session that is closed.
          if (rows.length === 0 && stopped !== undefined) end(() => reject(commitUnknown(stopped?.reason)));
          else end(() => resolve(rows));
        },
        onError: (error) => {
          const failure = failureOf(error, rows.length > 0, timeoutMs);
          const isOver = stopped !== undefined && !isCommitUnknown(failure);
          end(() => reject(isOver ? stopped?.reason : failure));
        },
      });
    } catch (error) {
      end(() => reject(error));
    }
  });
