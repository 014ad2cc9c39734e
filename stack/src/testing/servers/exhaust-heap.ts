/** Takes the memory of a Neo4j server away from it, as no accepted policy can. */
import { setTimeout as delay } from "node:timers/promises";
import neo4j from "neo4j-driver";
import type { OwnNeo4j } from "../../settings.ts";

/** Grows inside one expression, which no limit of a transaction sees. */
const growth = "RETURN size(split(reduce(a = 'x,', i IN range(0, 25) | a + a), ',')) AS size";
const atOnce = 12;

/** What a driver says of a server that has ended. */
const lost = new Set(["ServiceUnavailable", "SessionExpired"]);

/**
 * Sends statements that grow until the server has ended; resolves then.
 *
 * @throws Error where it has not ended after `withinMs`
 */
export const exhaustHeap = async ({ uri, username, password }: OwnNeo4j, withinMs: number): Promise<void> => {
  const until = performance.now() + withinMs;
  const driver = neo4j.driver(uri, neo4j.auth.basic(username, password), {
    connectionTimeout: withinMs,
    maxTransactionRetryTime: 0,
  });
  let hasEnded = false;
  const grow = async (): Promise<void> => {
    // A statement may fail for itself, and leave the others the memory that it had.
    while (!hasEnded && performance.now() < until) {
      const session = driver.session({ database: "neo4j" });
      try {
        await session.run(growth, {}, { timeout: withinMs });
      } catch (error) {
        hasEnded ||= lost.has((error as { code?: string }).code ?? "");
      }
    }
  };
  const grown = Promise.all(Array.from({ length: atOnce }, grow));
  await Promise.race([grown, delay(withinMs, undefined, { ref: false })]);
  // A server that no longer answers keeps a driver from closing.
  void driver.close().catch(() => {});
  if (!hasEnded) throw new Error(`The server still had memory after ${withinMs} ms.`);
};
