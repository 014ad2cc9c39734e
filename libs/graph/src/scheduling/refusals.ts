import { Problem } from "@ikg/contracts";

/** The limit that a statement reached: the length of its queue, the time in it, or the length of all queues together. */
export type QueueLimit = "length" | "time" | "total";

/** The same, or `share`: the database time of its project while other projects wait. */
export type StatementLimit = QueueLimit | "share";

const headers = { "Retry-After": "1" };

/** A project has its maximum of waiting statements. */
export const projectQueueFull = (waiting: number): Problem =>
  new Problem("too_many_requests", {
    headers,
    errors: [`concurrent_statements: ${waiting} statements of the project are waiting (NEO4J_QUEUE_LENGTH)`],
  });

/** A project has used its database time while statements of other projects wait. @param waitMs until it has some again. */
export const databaseTimeExceeded = (msPerSecond: number, waitMs: number): Problem =>
  new Problem("too_many_requests", {
    headers: { "Retry-After": String(Math.max(1, Math.ceil(waitMs / 1_000))) },
    errors: [
      `database_ms_per_second: the project has used its ${msPerSecond} ms of database time per second while other projects are waiting (limit database_ms_per_second, ${msPerSecond})`,
    ],
  });

/**
 * The queues of all projects together are full. Background statements get this one too: their worker repeats them as when the
 * database is unavailable.
 */
export const allQueuesFull = (waiting: number): Problem =>
  new Problem("unavailable", {
    headers,
    errors: [`database: ${waiting} statements are waiting (NEO4J_QUEUE_LENGTH)`],
  });

/**
 * A statement waited too long in its queue. It was not sent.
 *
 * @param ms how long it waited.
 * @param isOwnLoad true when it waited for statements of its own project.
 */
export const queueTimeout = (ms: number, isOwnLoad: boolean): Problem => {
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
