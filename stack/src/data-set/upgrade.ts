/** The course of an upgrade under load, whatever the services run on: there, back, and there again. */
import { setTimeout as pause } from "node:timers/promises";
import { measureProcessors } from "../measurement/processors.ts";
import type { OwnNeo4j } from "../settings.ts";
import { verifyChain } from "../testing/suites/verify-chain.ts";
import { type Contents, differences, readContents } from "./contents.ts";
import { type DataSet, unversioned } from "./data-set.ts";
import { askDatabase, newestSchemaVersion } from "./database.ts";
import { describePhases, type LoadPhase } from "./load-phases.ts";
import { readStoredContents } from "./stored-contents.ts";
import { askAll, type LoadRate, startUpgradeLoad, type UpgradeLoad } from "./upgrade-load.ts";

/** Settings of every service: the migration begins when the services are replaced, and takes its time. */
export const migrationSettings = {
  MIGRATION_DELAY_SECONDS: "1",
  MIGRATION_BATCH_SIZE: "3",
  MIGRATION_PACE_PERCENT: "10",
} as const;

/** A suite that holds a data set. */
export interface UpgradedSuite {
  /** Where its gateway answers. */
  readonly url: string;
  readonly database: OwnNeo4j;
  /** Replaces the services by those that wrote the data. */
  toFormer(): Promise<void>;
  /** Replaces the services by those of this tree. */
  toThis(): Promise<void>;
}

export interface UpgradeFigures {
  readonly requests: number;
  /** Processor time of this machine that was in use under the load before anything was replaced; 0 to 1. */
  readonly busy: number;
  /** What was not as it must be while services were replaced, in words. */
  readonly faults: readonly string[];
  /**
   * The former services, the upgrade, the way back, and the second upgrade: each of the last three from the replacement of the services to
   * the next one.
   */
  readonly phases: readonly Readonly<LoadPhase>[];
  /** Projects in which nodes were captured meanwhile. */
  readonly projects: number;
  /** Nodes whose capture was acknowledged, or whose import is done. */
  readonly written: number;
  /** Those of them that the database does not hold. */
  readonly lost: number;
  readonly questions: number;
  /** Questions that are decided otherwise after all. */
  readonly changed: readonly string[];
  /** Records that the migration has left as they were. */
  readonly unmigrated: number;
  /** What projects held and do not hold any more as it was: graph, configuration, history and rows. */
  readonly different: readonly string[];
  /** Audit chains of projects that do not verify. */
  readonly unverified: readonly string[];
}

/** Until former processes have ended. */
const settleMs = 3_000;
const migratedMs = 300_000;
const pollMs = 500;

const countFound = async (database: OwnNeo4j, text: string, params: object = {}): Promise<number> => {
  const [row = {}] = await askDatabase(database, text, params);
  return Number(row["found"]);
};

const versionOf = (database: OwnNeo4j): Promise<number> =>
  countFound(database, "MATCH (c:_Claim {key: 'database'}) RETURN coalesce(c.schema_version, 0) AS found");

/** Records without the size that the first migration gives them. */
const countUnsized = (database: OwnNeo4j): Promise<number> =>
  countFound(database, "MATCH (r:_Record) WHERE r.content_bytes IS NULL RETURN count(r) AS found");

const untilVersion = async (database: OwnNeo4j, version: number): Promise<void> => {
  for (const end = Date.now() + migratedMs; Date.now() < end; await pause(pollMs))
    if ((await versionOf(database)) === version) return;
  throw new Error(`the data is not of version ${version} after ${migratedMs / 60_000} min`);
};

const countStored = async (database: OwnNeo4j, { written }: UpgradeLoad): Promise<number> => {
  let stored = 0;
  for (const [{ id }, ids] of written)
    stored += await countFound(
      database,
      "MATCH (p:_Project {id: $id}) UNWIND $ids AS id MATCH (n:_Node {_key: p.pk + '/Mark/' + id}) RETURN count(n) AS found",
      { id, ids },
    );
  return stored;
};

const unverifiedChains = async (url: string, { projects, token }: DataSet): Promise<readonly string[]> => {
  const found = [];
  for (const { id } of projects) {
    const { isVerified, output } = await verifyChain(url, id, { IKG_TOKEN: token });
    if (!isVerified) found.push(`${id}: ${output}`);
  }
  return found;
};

const firstAttempts = 5;

/**
 * Asks every question, again where some were not decided: a database that has just started plans so slowly that statements reach their
 * time limit.
 */
const askFirst = async (url: string, set: DataSet): Promise<readonly string[]> => {
  for (let attempt = 1; ; attempt++)
    try {
      return await askAll(url, set);
    } catch (error) {
      if (attempt === firstAttempts) throw error;
    }
};

/** What the former services and these show, or store in the same form: the migration must leave it as it is. */
const readCommon = (set: DataSet, { url, database }: UpgradedSuite): Promise<Contents> =>
  set.release === unversioned ? readStoredContents(database) : readContents(url, set);

/**
 * Upgrades a suite of former services under load, waits for the migration, and takes it back and forth again.
 *
 * @throws Error when it decides otherwise before anything is replaced, or the migration does not end
 */
export const upgradeUnderLoad = async (
  set: DataSet,
  suite: UpgradedSuite,
  rate?: LoadRate,
): Promise<UpgradeFigures> => {
  const { url, database } = suite;
  const before = await askFirst(url, set);
  if (before.length > 0) throw new Error(`decided otherwise before the upgrade: ${before.join("; ")}`);
  const former = await readCommon(set, suite);
  // Where nothing is to be migrated, some stay as they are: the bootstrap of 0.2.0 gives its own records no size.
  const isMigrated = (await versionOf(database)) === newestSchemaVersion;
  const unsizedBefore = isMigrated ? await countUnsized(database) : 0;
  const load = await startUpgradeLoad(url, set, "former services", rate);
  let busy;
  let migrated;
  let changedByMigration;
  try {
    // What is upgraded has been in use; and the former services show what fails without an upgrade.
    await load.untilWarm();
    const readBusy = measureProcessors();
    await load.phases.untilCovered();
    busy = readBusy();
    load.phases.begin("upgrade");
    await suite.toThis();
    await untilVersion(database, newestSchemaVersion);
    migrated = await readContents(url, set);
    changedByMigration = differences(former, await readCommon(set, suite));
    await load.phases.untilCovered();
    load.phases.begin("way back");
    await suite.toFormer();
    await pause(settleMs);
    await load.phases.untilCovered();
    load.phases.begin("second upgrade");
    await suite.toThis();
    await pause(settleMs);
    await load.phases.untilCovered();
  } finally {
    await load.end();
  }
  const last = await readContents(url, set);
  const written = [...load.written.values()].reduce((sum, { length }) => sum + length, 0);
  return {
    requests: load.requestCount(),
    busy,
    faults: load.faults(),
    phases: load.phases.all,
    projects: load.written.size,
    written,
    lost: written - (await countStored(database, load)),
    questions: set.questions.length,
    changed: await askAll(url, set),
    unmigrated: (await countUnsized(database)) - unsizedBefore,
    different: [
      ...changedByMigration,
      ...differences(former, await readCommon(set, suite)),
      ...differences(migrated, last),
    ],
    unverified: await unverifiedChains(url, set),
  };
};

export const describeUpgrade = ({ release }: DataSet, figures: UpgradeFigures): string =>
  `upgrade of ${release}: ${figures.requests} requests, ${figures.faults.length} faults; ` +
  `processors ${Math.round(figures.busy * 100)} % in use before the upgrade; ${describePhases(figures.phases)}; ` +
  `${figures.written} nodes written, ${figures.lost} lost; ${figures.questions} questions, ${figures.changed.length} decided otherwise; ` +
  `${figures.different.length} contents changed, ${figures.unverified.length} audit chains not verified`;

/** Requests of a load while `work` makes the suite fail, and how many of them failed: what shows that faults are seen. */
export const countFaults = async (
  set: DataSet,
  url: string,
  work: () => Promise<void>,
): Promise<{ readonly requests: number; readonly faults: number }> => {
  const load = await startUpgradeLoad(url, set, "outage");
  try {
    await work();
  } finally {
    await load.end();
  }
  return { requests: load.requestCount(), faults: load.faults().length };
};
