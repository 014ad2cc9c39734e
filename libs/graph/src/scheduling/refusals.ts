import { Problem } from "@ikg/contracts";

/** Which bound of the queue a statement met: its length, the time in it, or the length of all queues together. */
export type QueueLimit = "length" | "time" | "total";

/** The same, or `share`: the database time that its project may have while others wait. */
export type StatementLimit = QueueLimit | "share";

const headers = { "Retry-After": "1" };

/** The answer to a project that has as many statements waiting as it may. */
export const queueIsFull = (waiting: number): Problem =>
  new Problem("too_many_requests", {
    headers,
    errors: [`concurrent_statements: ${waiting} statements of the project are waiting (NEO4J_QUEUE_LENGTH)`],
  });

/** The answer to a project that has had its database time while statements of others wait. @param waitMs until it has some again. */
export const hasHadItsShare = (msPerSecond: number, waitMs: number): Problem =>
  new Problem("too_many_requests", {
    headers: { "Retry-After": String(Math.max(1, Math.ceil(waitMs / 1_000))) },
    errors: [
      `database_ms_per_second: the project has had its ${msPerSecond} ms of database time a second, and statements of others wait (limit database_ms_per_second, ${msPerSecond})`,
    ],
  });

/**
 * The answer when statements of all projects together wait in too great a number, and to background statements, which their worker
 * repeats as it does when the database is away.
 */
export const queuesAreFull = (waiting: number): Problem =>
  new Problem("unavailable", {
    headers,
    errors: [`database: ${waiting} statements are waiting (NEO4J_QUEUE_LENGTH)`],
  });

/**
 * The answer to a statement that waited for too long. It was not sent.
 *
 * @param ms how long it waited.
 * @param isOwnLoad true when it waited for statements of its own project.
 */
export const waitedTooLong = (ms: number, isOwnLoad: boolean): Problem => {
  const seconds = Math.max(0.1, Math.round(ms / 100) / 10);
  return isOwnLoad
    ? new Problem("too_many_requests", {
        headers,
        errors: [
          `concurrent_statements: waited ${seconds} s for other statements of the project (NEO4J_QUEUE_MS)`,
        ],
      })
    : new Problem("unavailable", {
        headers,
        errors: [`database: waited ${seconds} s for other statements (NEO4J_QUEUE_MS)`],
      });
};
