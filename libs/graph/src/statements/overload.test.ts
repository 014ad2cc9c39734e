import { describe, expect, it } from "@jest/globals";
import { Neo4jError } from "neo4j-driver";
import { problemOf } from "../errors.ts";
import { retryOverloaded } from "./overload.ts";
import type { Row } from "../types.ts";

const refusal = (setting: string): unknown =>
  problemOf(
    new Neo4jError(
      `The allocation of an extra 2.0 MiB would use more than the limit 64.0 MiB. ${setting} threshold reached`,
      "Neo.TransientError.General.MemoryPoolOutOfMemoryError",
      "",
      "",
    ),
    1_000,
  );
const full = () => refusal("dbms.memory.transaction.total.max");
const unplanned = () =>
  problemOf(
    new Neo4jError(
      "Could not compile query due to insanely frequent schema changes",
      "Neo.DatabaseError.General.UnknownError",
      "",
      "",
    ),
    1_000,
  );
const tooLarge = () => refusal("db.memory.transaction.max");

describe("a read that the server had no memory for", () => {
  it("is tried again within its time, with what is left of it", async () => {
    const limits: number[] = [];
    const answer = await retryOverloaded({ timeoutMs: 1_000 }, ({ timeoutMs }) => {
      limits.push(timeoutMs);
      return limits.length < 4 ? Promise.reject(full()) : Promise.resolve("rows");
    });
    expect(answer).toBe("rows");
    expect(limits).toEqual(limits.toSorted((a, b) => b - a));
  });

  it("is tried again as well while constraints are made, which the server says without a code of its own", async () => {
    let tries = 0;
    const answer = await retryOverloaded({ timeoutMs: 1_000 }, () =>
      ++tries < 3 ? Promise.reject(unplanned()) : Promise.resolve("rows"),
    );
    expect([answer, tries]).toEqual(["rows", 3]);
  });

  it("fails when its time is over", async () => {
    let tries = 0;
    const started = performance.now();
    const read = retryOverloaded({ timeoutMs: 150 }, () => {
      tries += 1;
      return Promise.reject(full());
    });
    await expect(read).rejects.toMatchObject({ code: "unavailable" });
    expect(performance.now() - started).toBeLessThan(1_000);
    expect(tries).toBeGreaterThan(1);
  });

  it("is not tried again beyond its own limit, nor after a row was taken", async () => {
    let tries = 0;
    const count = (error: unknown): Promise<never> => {
      tries += 1;
      return Promise.reject(error);
    };
    await expect(retryOverloaded({ timeoutMs: 1_000 }, () => count(tooLarge()))).rejects.toThrow();
    const rows: Row[] = [];
    const onRow = (row: Row): boolean => rows.push(row) > 0;
    await expect(
      retryOverloaded({ timeoutMs: 1_000, onRow }, (options) => {
        options.onRow?.({ i: 1 });
        return count(full());
      }),
    ).rejects.toMatchObject({ code: "unavailable" });
    expect([tries, rows.length]).toEqual([2, 1]);
  });
});
