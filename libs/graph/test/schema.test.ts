import { afterEach, describe, expect, it } from "@jest/globals";
import { prepareSchema } from "../src/schema/schema.ts";
import { useConnections } from "./connections.ts";

const { graphAt } = useConnections();
const timeoutMs = 60_000;
const labels = Array.from({ length: 8 }, (_, at) => `SchemaTest${at}`);
const wanted = labels.flatMap((label) => [
  `CREATE CONSTRAINT schema_test_key_${label} IF NOT EXISTS FOR (n:${label}) REQUIRE n.key IS UNIQUE`,
  `CREATE RANGE INDEX schema_test_time_${label} IF NOT EXISTS FOR (n:${label}) ON (n.time)`,
]);

describe("a schema", () => {
  afterEach(async () => {
    const { shared } = graphAt({});
    await shared.write(
      async (tx) => {
        for (const label of labels) {
          await tx.run(`DROP CONSTRAINT schema_test_key_${label} IF EXISTS`, {});
          await tx.run(`DROP INDEX schema_test_time_${label} IF EXISTS`, {});
        }
      },
      { timeoutMs },
    );
  });

  it("is there for each of several processes that make it at once, and is made by one transaction", async () => {
    const { shared } = graphAt({});
    // Some of it is there already, as in an upgrade.
    expect(await prepareSchema(shared, wanted.slice(0, 5), timeoutMs)).toBe(5);
    let writes = 0;
    const processes = Array.from({ length: 4 }, () => graphAt({}).shared).map((database) => ({
      read: database.read.bind(database),
      write: (...args: Parameters<typeof database.write>) => {
        writes += 1;
        return database.write(...args);
      },
    }));
    await Promise.all(
      processes.map(async (database) => {
        await prepareSchema(database as typeof shared, wanted, timeoutMs);
        expect(await prepareSchema(database as typeof shared, wanted, timeoutMs)).toBe(0);
      }),
    );
    // One of each process, and another try of those that others were ahead of.
    expect(writes).toBeLessThanOrEqual(2 * processes.length);
  });
});
