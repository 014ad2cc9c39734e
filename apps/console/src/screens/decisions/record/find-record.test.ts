import { describe, expect, it } from "@jest/globals";
import type { AuditBatch, BatchesOptions, IkgAdmin } from "@ikg/client";
import { findRecord, timeOfId } from "./find-record.ts";

const time = Date.parse("2026-01-01T12:00:00.000Z");
const id = `${time
  .toString(16)
  .padStart(12, "0")
  .replace(/(.{8})/, "$1-")}-7abc-8def-0123456789ab`;

/** A service with the record in a batch that was signed some time later. */
const adminWith = (signed: number) => {
  const requests: BatchesOptions[] = [];
  const batch = { sequence: 3, data: [{ id, type: "t" }] } as unknown as AuditBatch; // what is used of it
  const batches = (options: BatchesOptions) => ({
    pages: async function* () {
      requests.push(options);
      const { since, until } = options;
      const isWithin = since !== undefined && until !== undefined && signed >= +since && signed < +until;
      yield { items: isWithin ? [batch] : [], cursor: undefined };
    },
  });
  return { requests, admin: { audit: { batches } } as unknown as IkgAdmin }; // what is used of it
};

const { signal } = new AbortController();

describe("a record by its id", () => {
  it("is looked for where its id says that it was made", async () => {
    expect(timeOfId(id)).toBe(time);
    const { admin, requests } = adminWith(time + 4_000);
    expect(await findRecord(admin, id, signal)).toMatchObject({ record: { id }, place: { sequence: 3 } });
    expect(requests).toHaveLength(1);
  });

  it("is found when its batch was signed hours later", async () => {
    const { admin, requests } = adminWith(time + 7_200_000);
    expect(await findRecord(admin, id, signal)).toMatchObject({ record: { id } });
    expect(requests).toHaveLength(2);
  });

  it("is not there, or its id is none", async () => {
    expect(await findRecord(adminWith(0).admin, id, signal)).toBeUndefined();
    const { admin, requests } = adminWith(time);
    expect(await findRecord(admin, "<script>", signal)).toBeUndefined();
    expect(requests).toEqual([]);
  });
});
