import { Problem } from "@ikg/contracts";

/** The limit that a statement reached: the length of its queue, the time in it, or the length of all queues of its organization or of all together. */
export type QueueLimit = "length" | "time" | "organization" | "total";

/** The same, or `share`: the database time of its project while other projects wait. */
export type StatementLimit = QueueLimit | "share";

/** Whose load a refusal is for. */
export type LoadOwner = "project" | "organization";

const headers = { "Retry-After": "1" };

/**
 * A project, or all projects of its organization, have their maximum of waiting statements.
 *
 * @param multiple how many times `queueLength` the maximum is.
 */
export const queueFull = (queueLength: number, owner: LoadOwner, multiple = 1): Problem => {
  const setting = multiple === 1 ? "NEO4J_QUEUE_LENGTH" : `${multiple} times NEO4J_QUEUE_LENGTH`;
  return new Problem("too_many_requests", {
    headers,
    errors: [
      `concurrent_statements: the queue is full, ${multiple * queueLength} statements of the ${owner} are waiting (limit ${setting})`,
    ],
  });
};

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
 * @param owner whose other statements it waited for; undefined: those of others.
 */
export const queueTimeout = (ms: number, owner: LoadOwner | undefined): Problem => {
  const seconds = Math.max(0.1, Math.round(ms / 100) / 10);
  return owner === undefined
    ? new Problem("unavailable", {
        headers,
        errors: [`database: waited ${seconds} s for other statements (NEO4J_QUEUE_MS)`],
      })
    : new Problem("too_many_requests", {
        headers,
        errors: [
          `concurrent_statements: waited ${seconds} s for other statements of the ${owner} (NEO4J_QUEUE_MS)`,
        ],
      });
};
