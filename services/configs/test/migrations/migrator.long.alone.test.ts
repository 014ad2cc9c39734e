import { describe, expect, it } from "@jest/globals";
import { schemaVersions } from "@ikg/graph";
import { migrations } from "../../src/migrations/all.ts";
import { acquireLease } from "../../src/migrations/lease.ts";
import {
  data,
  isOfVersion,
  replica,
  severalBatches,
  until,
  useClaim,
  useData,
} from "./migrators-under-test.ts";

describe("migrations of stored data", () => {
  useData(severalBatches);

  it("go on where a process that is gone has stopped", async () => {
    const first = migrations[0]?.shared[0]?.name ?? "";
    const former = replica();
    former.migrator.start();
    await until(() => (former.items[first] ?? 0) > 0);
    await former.migrator.close();
    const { migration_step: step, migration_cursor: cursor } = await data.claim();
    const next = replica();
    next.migrator.start();
    await until(isOfVersion(schemaVersions.newest));
    expect(await data.found()).toEqual(data.expected);
    // Unless it was done before it was closed.
    if (step === `1/${first}`)
      expect(next.items[first] ?? 0).toBeLessThan(Object.keys(data.expected.sizes).length);
    expect(typeof cursor === "string" || cursor === undefined).toBe(true);
  }, 60_000);
});

describe("leases and builds that cannot read the data", () => {
  useClaim();

  it("an epoch exceeds those that were given before the shared database was restored from a backup", async () => {
    const { shared } = data.graph;
    const before = await acquireLease(shared, "a", 60_000);
    await data.run(
      "MATCH (c:_Claim {key: 'database'}) REMOVE c.migration_holder, c.migration_until, c.migration_epoch",
    );
    const after = await acquireLease(shared, "b", 60_000);
    expect(after?.epoch).toBeGreaterThan(before?.epoch ?? Infinity);
    // A clock that was set back gives no epoch twice.
    const future = Date.now() + 3_600_000;
    await data.run(
      "MATCH (c:_Claim {key: 'database'}) SET c.migration_epoch = $future REMOVE c.migration_holder, c.migration_until",
      { future },
    );
    expect((await acquireLease(shared, "c", 60_000))?.epoch).toBe(future + 1);
  });

  it("builds are kept out by a migration without a batch, too, once it is done", async () => {
    const nothing = { name: "nothing", next: () => Promise.resolve(undefined) };
    const { migrator } = replica({
      migrations: [{ version: 1, name: "test", readableFrom: 1, own: [], shared: [nothing] }],
    });
    migrator.start();
    await until(isOfVersion(1));
    expect((await data.claim())["schema_readable_from"]).toBe(1);
  }, 60_000);
});
