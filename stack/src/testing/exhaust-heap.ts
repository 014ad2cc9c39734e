/** Takes the memory of a Neo4j server away from it, as no accepted policy can. */
import neo4j from "neo4j-driver";
import type { OwnNeo4j } from "../settings.ts";

/** Grows inside one expression, which no limit of a transaction sees. */
const growth = "RETURN size(split(reduce(a = 'x,', i IN range(0, 25) | a + a), ',')) AS size";
const atOnce = 12;

/** Sends statements that grow until the heap is full; resolves when each has ended in some way, or after `withinMs`. */
export const exhaustHeap = async ({ uri, username, password }: OwnNeo4j, withinMs: number): Promise<void> => {
  const driver = neo4j.driver(uri, neo4j.auth.basic(username, password), {
    connectionTimeout: withinMs,
    maxTransactionRetryTime: 0,
  });
  const grow = async (): Promise<void> => {
    const session = driver.session({ database: "neo4j" });
    try {
      await session.run(growth, {}, { timeout: withinMs });
    } catch {
      // Out of memory, or the server has ended: both are the purpose.
    }
  };
  const late = new Promise<void>((resolve) => void setTimeout(resolve, withinMs).unref());
  await Promise.race([Promise.all(Array.from({ length: atOnce }, grow)), late]);
  // A server that no longer answers keeps a driver from closing.
  void driver.close().catch(() => {});
};
