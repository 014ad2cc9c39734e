import { expect, it } from "@jest/globals";
import type { LanguageCollection } from "@ikg/client";
import { writeRecord } from "./write-record.ts";

interface Row {
  readonly id: string;
  readonly name: string;
}

const row: Row = { id: "gid:1", name: "n" };
const base = { record: row, etag: '"1"' };
const fields = { created: { name: "n" }, updated: {} };

/** A collection that writes, and reads as `read` says. */
const collectionWith = (read: () => Promise<unknown>) => {
  const collection = { create: async () => row, update: async () => row, read };
  return collection as unknown as LanguageCollection<Row, object, object>; // the operations that are called
};

it.each([
  ["new", undefined],
  ["changed", base],
])("a %s record that is written counts as written, also where it cannot be read", async (_what, former) => {
  const state = { record: row, etag: '"2"' };
  expect(
    await writeRecord(
      collectionWith(async () => state),
      former,
      fields,
    ),
  ).toEqual({ record: row, state });
  const failing = collectionWith(async () => {
    throw new Error("away");
  });
  expect(await writeRecord(failing, former, fields)).toEqual({ record: row, state: undefined });
});

it("a record that is not written is an error", async () => {
  const conflict = new Error("the record is in another state");
  const collection = {
    update: async () => {
      throw conflict;
    },
    read: async () => base,
  } as unknown as LanguageCollection<Row, object, object>; // the operations that are called
  await expect(writeRecord(collection, base, fields)).rejects.toBe(conflict);
});
