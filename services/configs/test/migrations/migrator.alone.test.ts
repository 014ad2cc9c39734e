import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import { schemaVersions } from "@ikg/graph";
import { acquireLease, LeaseLost, renewLease } from "../../src/migrations/lease.ts";
import type { Batch, Migration } from "../../src/migrations/migration.ts";
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

  it("two replicas run them once, and nothing is left of their places", async () => {
    const before = data.versions.length;
    // A replica that is late on a busy machine is not gone.
    const replicas = [replica({ takeoverMs: 30_000 }), replica({ takeoverMs: 30_000 })];
    for (const { migrator } of replicas) migrator.start();
    await until(isOfVersion(schemaVersions.newest));
    await until(() =>
      replicas.some(({ lines }) => lines.some(({ message }) => message === "a migration is done")),
    );
    await until(() => data.versions.slice(before).includes(schemaVersions.newest));
    expect(await data.found()).toEqual(data.expected);
    const all = replicas.map(({ items }) => items);
    const total = (step: string): number => all.reduce((sum, each) => sum + (each[step] ?? 0), 0);
    // Other data of the database has no more than its projects.
    expect(total("sizes")).toBe(Object.keys(data.expected.sizes).length);
    expect(all.filter((each) => Object.keys(each).length > 0).length).toBe(1);
    await until(async () => (await data.claim())["migration_holder"] === undefined);
    expect(Object.keys(await data.claim())).not.toContain("migration_step");
  }, 60_000);
});

describe("one process migrates at a time, and builds that cannot read the data are kept out", () => {
  useClaim();

  it("a process that was taken for dead writes nothing more", async () => {
    const blocked = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    const written: string[] = [];
    const by = (name: string, before: () => Promise<void>): readonly Migration[] => [
      {
        version: 1,
        name: "test",
        readableFrom: 0,
        own: [],
        shared: [
          {
            name: "only",
            next: async (_context, after): Promise<Batch | undefined> => {
              if (after !== "") return undefined;
              await before();
              return { cursor: "1", items: 1, write: async () => written.push(name) };
            },
          },
        ],
      },
    ];
    const slow = replica({
      takeoverMs: 300,
      migrations: by("slow", async () => {
        reached.resolve();
        await blocked.promise;
      }),
    });
    slow.migrator.start();
    await reached.promise;
    // As if it had been stopped for so long: its lease was given to another one, which is gone as well.
    await data.run(
      "MATCH (c:_Claim {key: 'database'}) SET c.migration_holder = 'other', c.migration_until = 0",
    );
    const next = replica({ migrations: by("next", async () => undefined) });
    next.migrator.start();
    await until(isOfVersion(1));
    blocked.resolve();
    await wait(500);
    expect(written).toEqual(["next"]);
  }, 60_000);

  it("a lease that expired is taken with a higher epoch, and the former holder learns of it", async () => {
    const { shared } = data.graph;
    const first = await acquireLease(shared, "a", 60_000);
    expect(await acquireLease(shared, "b", 60_000)).toBeUndefined();
    await data.run("MATCH (c:_Claim {key: 'database'}) SET c.migration_until = 0");
    const second = await acquireLease(shared, "b", 60_000);
    expect(second?.epoch).toBeGreaterThan(first?.epoch ?? 0);
    await expect(renewLease(shared, first ?? { token: "", epoch: 0 }, 1_000)).rejects.toBeInstanceOf(
      LeaseLost,
    );
  });

  it("builds that cannot read what a migration writes are kept out from its first batch on", async () => {
    const stuck = Promise.withResolvers<void>();
    const { migrator } = replica({
      migrations: [
        {
          version: 1,
          name: "test",
          readableFrom: 1,
          own: [],
          shared: [
            {
              name: "only",
              next: async (_context, after) => {
                if (after !== "") await stuck.promise;
                return after === "" ? { cursor: "1", items: 1 } : undefined;
              },
            },
          ],
        },
      ],
    });
    migrator.start();
    await until(async () => (await data.claim())["schema_readable_from"] === 1);
    expect((await data.claim())["schema_version"]).toBeUndefined();
    stuck.resolve();
    await until(isOfVersion(1));
  }, 60_000);
});
