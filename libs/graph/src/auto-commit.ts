import neo4j, { Neo4jError } from "neo4j-driver";
import {
  commitUnknown,
  HostRefused,
  isNeverSent,
  isOfServer,
  isRefusedUnread,
  isRolledBack,
  problemOf,
  StatementTimeout,
} from "./errors.ts";
import { type Following, followIntake } from "./intake.ts";
import { parameters } from "./parameters.ts";
import { openSession, transactionConfig, withoutTrace } from "./read.ts";
import { rowOf } from "./results.ts";
import type { RunOptions } from "./scheduling/in-slot.ts";
import type { Params, Row } from "./types.ts";
import { commitGraceMs, type Target } from "./write.ts";

/**
 * True when a failure says for certain that nothing was written. The statement's row comes before its commit, so what the server
 * refuses without a row it refuses before; a connection that is lost may have lost the acknowledgement.
 */
const isUnwritten = (error: unknown, hasRow: boolean): boolean => {
  if (error instanceof HostRefused) return true;
  if (!(error instanceof Neo4jError)) return false;
  if (isOfServer(error)) return !hasRow || isRolledBack(error);
  return !hasRow && (isNeverSent(error) || isRefusedUnread(error));
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
  options: RunOptions,
): Promise<Row[]> =>
  new Promise((resolve, reject) => {
    const { signal, timeoutMs, intake, onClosing } = options;
    signal?.throwIfAborted();
    const converted = parameters(params);
    const session = openSession(target, neo4j.session.WRITE, options);
    const rows: Row[] = [];
    let open = true;
    let stopped: { readonly reason: unknown } | undefined;
    let grace: NodeJS.Timeout | undefined;
    let following: Following | undefined;
    const end = (settle: () => void, isCut = stopped !== undefined): void => {
      if (!open) return;
      open = false;
      clearTimeout(timer);
      clearTimeout(grace);
      signal?.removeEventListener("abort", onAbort);
      const closing = session.close().catch(() => undefined);
      if (stopped === undefined) following?.stop();
      else following?.cut(closing);
      if (isCut) onClosing?.(closing);
      settle();
    };
    const stop = (reason: unknown): void => {
      if (stopped !== undefined) return;
      stopped = { reason };
      grace = setTimeout(() => end(() => reject(commitUnknown(reason))), commitGraceMs);
      following?.flow();
      // Tells the server to end the statement; what came of it is told below.
      session.close().catch(() => undefined);
    };
    const onAbort = (): void => stop(signal?.reason);
    const timer = setTimeout(() => stop(new StatementTimeout(timeoutMs)), timeoutMs);
    signal?.addEventListener("abort", onAbort, { once: true });
    const onError = (error: unknown): void =>
      end(() => {
        if (!isUnwritten(error, rows.length > 0)) reject(commitUnknown(error));
        else reject(stopped === undefined ? problemOf(error, timeoutMs) : stopped.reason);
      });
    try {
      const result = withoutTrace(() =>
        session.run(target.prefix + text, converted, transactionConfig(options)),
      );
      // Its one row comes before its commit: a connection that is closed in between leaves open what came of it.
      if (intake !== undefined)
        following = followIntake(session, neo4j.session.WRITE, intake, (error) =>
          end(() => reject(commitUnknown(error)), true),
        );
      result.subscribe({
        onNext: (record) => void rows.push(rowOf(record)),
        // Resolved before anybody is told, whose failure would come as one of the statement.
        onCompleted: () =>
          end(() => {
            resolve(rows);
            options.onCommit?.({ [target.part]: session.lastBookmarks() });
          }),
        onError,
      });
    } catch (error) {
      end(() => reject(error));
    }
  });
