import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { schemaVersions } from "@ikg/graph";
import { keyRing } from "@ikg/secrets";
import { eventually } from "../../../../stack/src/testing/eventually.ts";
import { migrations } from "../../src/migrations/all.ts";
import { acquireLease, LeaseLost, renewLease } from "../../src/migrations/lease.ts";
import type { Batch, Migration } from "../../src/migrations/migration.ts";
import { type Migrator, openMigrator } from "../../src/migrations/migrator.ts";
import { settingsOfTest } from "../environment.ts";
import { type UnversionedData, writeUnversionedData } from "./unversioned-data.ts";

let data: UnversionedData;
const open: Migrator[] = [];

/** Enough for several batches of every step. */
const amount = { projects: 3, policies: 20 };
beforeEach(async () => {
  data = await writeUnversionedData(amount);
}, 60_000);
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
  await data.remove();
}, 60_000);

interface Line {
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Opens a migrator as a replica has it. @returns the lines of its log, and items by step */
const replica = (more: { readonly migrations?: readonly Migration[]; readonly takeoverMs?: number } = {}) => {
  const lines: Line[] = [];
  const note = (message: string, fields: Record<string, unknown> = {}): unknown =>
    lines.push({ message, fields });
  const items: Record<string, number> = {};
  const { takeoverMs = 1_000, ...others } = more;
  const migrator = openMigrator({
    graph: data.graph,
    keys: keyRing(settingsOfTest().CONFIG_ENCRYPTION_KEY, []),
    log: { info: note, warn: note },
    metrics: {
      batch: (_migration, step, count) => (items[step] = (items[step] ?? 0) + count),
      failed: () => undefined,
      behind: () => undefined,
    },
    now: () => new Date(),
    settings: { delayMs: 0, takeoverMs, batch: 10, pacePercent: 100 },
    ...others,
  });
  open.push(migrator);
  return { migrator, lines, items };
};

const until = (holds: () => Promise<boolean> | boolean): Promise<boolean> =>
  eventually(holds, Boolean, { withinMs: 30_000, everyMs: 20 });
const isOfVersion = (version: number) => async (): Promise<boolean> =>
  (await data.claim())["schema_version"] === version;

describe("migrations of stored data", () => {
  it("two replicas run them once, and nothing is left of their places", async () => {
    // A replica that is late on a busy machine is not gone.
    const replicas = [replica({ takeoverMs: 30_000 }), replica({ takeoverMs: 30_000 })];
    for (const { migrator } of replicas) migrator.start();
    await until(isOfVersion(schemaVersions.newest));
    await until(() =>
      replicas.some(({ lines }) => lines.some(({ message }) => message === "a migration is done")),
    );
    expect(await data.found()).toEqual(data.expected);
    const all = replicas.map(({ items }) => items);
    const total = (step: string): number => all.reduce((sum, each) => sum + (each[step] ?? 0), 0);
    // Other data of the database has no more than its projects.
    expect(total("sizes")).toBe(Object.keys(data.expected.sizes).length);
    expect(all.filter((each) => Object.keys(each).length > 0).length).toBe(1);
    await until(async () => (await data.claim())["migration_holder"] === undefined);
    expect(Object.keys(await data.claim())).not.toContain("migration_step");
  }, 60_000);

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

  it("they are kept out by a migration without a batch, too, once it is done", async () => {
    const nothing = { name: "nothing", next: () => Promise.resolve(undefined) };
    const { migrator } = replica({
      migrations: [{ version: 1, name: "test", readableFrom: 1, own: [], shared: [nothing] }],
    });
    migrator.start();
    await until(isOfVersion(1));
    expect((await data.claim())["schema_readable_from"]).toBe(1);
  }, 60_000);
});
