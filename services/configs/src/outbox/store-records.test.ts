import { expect, it } from "@jest/globals";
import type { AuditRecord } from "@ikg/audit";
import { newRecord } from "@ikg/audit/testing";
import { type Gid, newGid } from "@ikg/contracts";
import type { Transaction } from "@ikg/graph";
import { storeRecords } from "./store-records.ts";

interface Entry {
  readonly key: string;
  readonly chain: Gid;
  readonly records: string;
  readonly count: number;
}

/** Stores records. @returns the entries that hold them */
const entriesOf = async (records: readonly AuditRecord[]): Promise<readonly Entry[]> => {
  const entries: Entry[] = [];
  const tx: Transaction = {
    run: async (_text, params) => {
      entries.push(...(params["entries"] as readonly Entry[])); // what the statement creates
      return [];
    },
  };
  await storeRecords(tx, records, newGid("organization"));
  return entries;
};

it("every record of a change is stored once, in entries of one chain with fifty records at most", async () => {
  const [one, other] = [newGid("project"), newGid("project")];
  const ofOne = Array.from({ length: 51 }, (_, index) => newRecord(one, `p${index}`));
  const records = [...ofOne, newRecord(other, "other")];
  const entries = await entriesOf(records);
  expect(entries.map(({ chain, count }) => [chain, count])).toEqual([
    [one, 50],
    [one, 1],
    [other, 1],
  ]);
  expect(new Set(entries.map(({ key }) => key)).size).toBe(3);
  expect(entries.flatMap((entry) => JSON.parse(entry.records) as AuditRecord[])).toEqual(records);
});

it("an entry holds 256 KiB at most, unless one record is larger", async () => {
  const project = newGid("project");
  const ofLength = (length: number): AuditRecord => newRecord(project, "x".repeat(length));
  const records = [...Array.from({ length: 3 }, () => ofLength(100_000)), ofLength(300_000)];
  const entries = await entriesOf(records);
  expect(entries.map(({ count }) => count)).toEqual([2, 1, 1]);
  expect(entries.flatMap((entry) => JSON.parse(entry.records) as AuditRecord[])).toEqual(records);
});
