import { afterAll, afterEach, beforeAll, beforeEach } from "@jest/globals";
import { keyRing } from "@ikg/secrets";
import { eventually } from "../../../../stack/src/testing/eventually.ts";
import type { Migration } from "../../src/migrations/migration.ts";
import { type Migrator, openMigrator } from "../../src/migrations/migrator.ts";
import { settingsOfTest } from "../environment.ts";
import { type Amount, type UnversionedData, writeUnversionedData } from "./unversioned-data.ts";

export let data: UnversionedData;
const open: Migrator[] = [];

/** Enough for several batches of every step. */
export const severalBatches = { projects: 3, policies: 20 };

const closeMigrators = async (): Promise<void> => {
  await Promise.all(open.splice(0).map((each) => each.close()));
};

/** Gives each test of a group data without a version, and closes its migrators. */
export const useData = (amount: Amount): void => {
  beforeEach(async () => {
    data = await writeUnversionedData(amount);
  }, 60_000);
  afterEach(async () => {
    await closeMigrators();
    await data.remove();
  }, 60_000);
};

/** The same for a group that reads and writes the claim alone. */
export const useClaim = (): void => {
  beforeAll(async () => {
    data = await writeUnversionedData({ projects: 0, policies: 0 });
  }, 60_000);
  beforeEach(() => data.removeVersion());
  afterEach(closeMigrators);
  afterAll(() => data.remove(), 60_000);
};

interface Line {
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Opens a migrator as a replica has it. @returns the lines of its log, and items by step */
export const replica = (
  more: { readonly migrations?: readonly Migration[]; readonly takeoverMs?: number } = {},
) => {
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

export const until = (holds: () => Promise<boolean> | boolean): Promise<boolean> =>
  eventually(holds, Boolean, { withinMs: 30_000, everyMs: 20 });

export const isOfVersion = (version: number) => async (): Promise<boolean> =>
  (await data.claim())["schema_version"] === version;
