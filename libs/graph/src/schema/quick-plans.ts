import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { Database } from "../types.ts";

/** A statement that nothing has planned takes less than this on a server that does not plan many others. */
const quickMs = 150;
const quickInSuccession = 3;
const pauseMs = 250;
/** After this long the server is busy with something else. */
const limitMs = 20_000;

const timeToPlan = async (database: Pick<Database, "read">, timeoutMs: number): Promise<number> => {
  const start = performance.now();
  // The server plans a text that it has not seen, and only that.
  const text = `RETURN 1 AS \`${randomUUID()}\``;
  await database.read(text, {}, { timeoutMs }).catch(() => undefined);
  return performance.now() - start;
};

/**
 * Waits until the server plans a new statement quickly, or 20 s. A change of the schema makes it plan every statement anew: while
 * it plans those of requests, the statements of a service that starts would make them wait longer.
 *
 * @throws never
 */
export const untilQuickPlans = async (database: Pick<Database, "read">): Promise<void> => {
  const end = performance.now() + limitMs;
  for (let quick = 0; quick < quickInSuccession && performance.now() < end; await wait(pauseMs))
    quick = (await timeToPlan(database, Math.max(1, end - performance.now()))) < quickMs ? quick + 1 : 0;
};
