import { expect, it } from "@jest/globals";
import type { Session } from "neo4j-driver";
import { holdWriters } from "./hold-writers.ts";
import type { RawDatabase } from "./source.ts";

it("holds locks that the database ends no earlier than the work may take", async () => {
  const timeouts: number[] = [];
  const tx = { run: async () => undefined, rollback: async () => undefined };
  const session = {
    beginTransaction: async ({ timeout }: { timeout: number }) => {
      timeouts.push(timeout);
      return tx;
    },
    close: async () => undefined,
  } as unknown as Session; // all that is used
  const database = { session: () => session } as unknown as RawDatabase; // all that is used
  const project = { id: "p", pk: "abcdefgh" };
  const longest = 60_000; // of BACKUP_HOLD_MS
  expect(await holdWriters(database, project, longest, async () => "value")).toMatchObject({
    value: "value",
  });
  expect(timeouts).toHaveLength(2);
  expect(Math.min(...timeouts)).toBeGreaterThan(longest);
});
