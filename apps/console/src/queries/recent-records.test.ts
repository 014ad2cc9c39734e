import { describe, expect, it } from "@jest/globals";
import type { AuditBatch, BatchesOptions, IkgAdmin } from "@ikg/client";
import { recentRecords } from "./recent-records.ts";

const { signal } = new AbortController();
const since = new Date(0);

const batch = (sequence: number): AuditBatch =>
  ({
    sequence,
    kid: "k1",
    alg: "ES256",
    data: [
      { id: `${sequence} a`, type: "audit.signing.failed" },
      { id: `${sequence} b`, type: "audit.config.update" },
    ],
  }) as unknown as AuditBatch; // the members that are read

/** A service with batches 1 to `count`, one a page, in the requested order. */
const adminWith = (count: number) => {
  const requests: BatchesOptions[] = [];
  const batches = (options: BatchesOptions) => ({
    pages: async function* () {
      requests.push(options);
      const chain = Array.from({ length: count }, (_, index) => batch(index + 1));
      const ordered = options.order === "desc" ? chain.toReversed() : chain;
      for (const [at, item] of ordered.entries())
        yield { items: [item], cursor: at === count - 1 ? undefined : String(at) };
      if (count === 0) yield { items: [], cursor: undefined };
    },
  });
  return { requests, admin: { audit: { batches } } as unknown as IkgAdmin }; // the operation that is called
};

describe("recent audit records", () => {
  it("are the newest of a busy project, in the order of the chain", async () => {
    const { admin, requests } = adminWith(5);
    const { records, last, isComplete } = await recentRecords(admin, { since, maxPages: 2, signal });
    expect(records.map(({ id }) => id)).toEqual(["4 a", "4 b", "5 a", "5 b"]);
    expect([last?.sequence, isComplete]).toEqual([5, false]);
    expect(requests).toEqual([{ since, order: "desc", signal }]);
  });

  it("are complete where the last page was read, also at the limit", async () => {
    const { records, isComplete } = await recentRecords(adminWith(2).admin, { since, maxPages: 2, signal });
    expect([records.length, isComplete]).toEqual([4, true]);
    expect(await recentRecords(adminWith(0).admin, { since, maxPages: 2, signal })).toEqual({
      records: [],
      last: undefined,
      isComplete: true,
    });
  });

  it("are those that are to be kept", async () => {
    const keep = ({ type }: { readonly type: string }) => type.startsWith("audit.signing.");
    const { records } = await recentRecords(adminWith(2).admin, { since, maxPages: 9, signal, keep });
    expect(records.map(({ id }) => id)).toEqual(["1 a", "2 a"]);
  });
});
