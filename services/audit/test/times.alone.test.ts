import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Batch, Manifest } from "@ikg/audit";
import type { Gid } from "@ikg/contracts";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { openTestBed, type TestBed, waitLimits } from "./audit-under-test.ts";

let bed: TestBed;
let url: string;
let project: Gid;
let manifests: readonly Manifest[];

/** Four batches, one after the other; another project has as many between them. */
beforeAll(async () => {
  bed = await openTestBed();
  ({ url } = await bed.start());
  project = bed.project();
  const other = bed.project();
  for (let count = 1; count <= 4; count++) {
    for (const each of [project, other]) {
      await bed.emit(each, [`record ${count}`]);
      await eventually(
        () => bed.read(url, each),
        ({ batches }) => batches.length === count,
        waitLimits,
      );
    }
  }
  ({ manifests } = await bed.read(url, project));
}, 120_000);
afterAll(() => bed?.close());

interface Page {
  readonly items: readonly Batch[];
  readonly has_more: boolean;
  readonly next_cursor: string;
}

const ask = (filters: Readonly<Record<string, string>>) => {
  const query = new URLSearchParams({ project_id: project, ...filters });
  return bed.ask(url, `/audit/v1/logs?${query.toString()}`, bed.agent(project));
};

/** Sequences of every page. */
const sequences = async (filters: Readonly<Record<string, string>>): Promise<readonly number[]> => {
  const found: number[] = [];
  for (let cursor = "", more = true; more;) {
    const { status, body } = await ask({ ...filters, cursor });
    expect(status).toBe(200);
    const page = body as unknown as Page;
    found.push(...page.items.map(({ sequence }) => sequence));
    [cursor, more] = [page.next_cursor, page.has_more];
  }
  return found;
};

const timeOf = (sequence: number): string => manifests[sequence - 1]?.created_at ?? "";

/** The same time as text of another zone. */
const inZone = (time: string): string =>
  `${new Date(Date.parse(time) + 7_200_000).toISOString().slice(0, -1)}+02:00`;

describe("batches of a time", () => {
  it("are those that were signed from `since` on and before `until`, in the order of the chain", async () => {
    expect(await sequences({})).toEqual([1, 2, 3, 4]);
    expect(await sequences({ since: timeOf(3) })).toEqual([3, 4]);
    expect(await sequences({ until: timeOf(3) })).toEqual([1, 2]);
    expect(await sequences({ since: timeOf(2), until: timeOf(4) })).toEqual([2, 3]);
    expect(await sequences({ since: inZone(timeOf(2)), until: inZone(timeOf(4)) })).toEqual([2, 3]);
    expect(await sequences({ since: timeOf(4), until: timeOf(2) })).toEqual([]);
    expect(await sequences({ since: "2099-01-01T00:00:00Z" })).toEqual([]);
  });

  it("come the newest first with `order=desc`, also in pages and of a time", async () => {
    expect(await sequences({ order: "desc" })).toEqual([4, 3, 2, 1]);
    expect(await sequences({ order: "desc", pagesize: "1" })).toEqual([4, 3, 2, 1]);
    expect(await sequences({ order: "desc", pagesize: "2", since: timeOf(2) })).toEqual([4, 3, 2]);
    expect(await sequences({ order: "desc", pagesize: "1", until: timeOf(4) })).toEqual([3, 2, 1]);
    expect(await sequences({ order: "asc", pagesize: "1" })).toEqual([1, 2, 3, 4]);
    const { status, body } = await ask({ order: "newest" });
    expect([status, body["errors"]]).toEqual([400, ["order: asc or desc expected"]]);
  });

  it("come in pages", async () => {
    expect(await sequences({ since: timeOf(2), pagesize: "1" })).toEqual([2, 3, 4]);
    expect(await sequences({ until: timeOf(4), pagesize: "2" })).toEqual([1, 2, 3]);
  });

  it.each(["yesterday", "2026-01-01", "2026-01-01T00:00:00", "2026-02-30T00:00:00Z", ""])(
    "is 400 for %j, which is no time",
    async (time) => {
      const { status, body } = await ask({ since: time, until: time });
      expect([status, body["errors"]]).toEqual([
        400,
        ["since: RFC 3339 time with an offset expected", "until: RFC 3339 time with an offset expected"],
      ]);
    },
  );
});
