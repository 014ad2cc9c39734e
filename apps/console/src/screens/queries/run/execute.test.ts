import { describe, expect, it } from "@jest/globals";
import type { ResultRow } from "@ikg/client";
import { readMore, type RowPages, type RowsSoFar, type RunResult, withFound } from "./execute.ts";

const row = (id: string): ResultRow => ({ nodes: { "a.external_id": id } });

async function* pagesThatFail(): RowPages {
  yield {
    items: [row("2")],
    errors: [{ row: 0, path: "a.property.x", resolver: "r", reason: "circuit_open" }],
    isLast: false,
  };
  throw new Error("away");
}

const found = (next: RowPages | undefined): RowsSoFar => ({ rows: [row("1")], errors: [], next });

const resultOf = (rows: RowsSoFar): RunResult => ({
  request: { name: "q", params: {}, writes: false },
  credentials: { key: "k", token: undefined },
  found: rows,
  explanation: undefined,
  at: 0,
});

describe("further rows of a query", () => {
  it("are appended, with missing values counted among all rows, and stay incomplete after a failure", async () => {
    const pages = pagesThatFail();
    const more = await readMore(pages, found(pages));
    expect(more).toMatchObject({ rows: [row("1"), row("2")], errors: [{ row: 1 }], next: pages });
    await expect(readMore(pages, more)).rejects.toThrow("away");
    await expect(readMore(pages, more)).rejects.toThrow("cannot be continued");
  });

  it("do not replace those of a later run", () => {
    const [former, later] = [found(undefined), found(undefined)];
    const read = { ...former, rows: [row("1"), row("2")] };
    expect(withFound(resultOf(former), former, read)?.found).toBe(read);
    expect(withFound(resultOf(later), former, read)?.found).toBe(later);
    expect(withFound(undefined, former, read)).toBeUndefined();
  });
});
