import { isDeepStrictEqual } from "node:util";
import type { Driver } from "neo4j-driver";
import { checkedDatabase } from "../statements/checked-database.ts";
import { openDatabase, type OpenDatabase } from "../statements/database.ts";
import { unavailable } from "../errors.ts";
import { isClustered } from "./driver.ts";
import { openGuardedDriver, type ResolveHost } from "./guarded-driver.ts";
import { OwnSchema } from "../schema/own-schema.ts";
import { capacityOf } from "../scheduling/capacity.ts";
import { openScheduler } from "../scheduling/scheduler.ts";
import type { StatementClass } from "../scheduling/statement-class.ts";
import type { Scheduler, SchedulerSettings } from "../scheduling/types.ts";
import type { Connection, Database, GraphHooks, DatabasePart, ProjectGraph } from "../types.ts";

/** What every own database is opened with. */
export interface OwnDatabasesParts {
  /** What a queue of each database holds at most. */
  readonly queue: Pick<SchedulerSettings, "queueLength" | "queueMs">;
  readonly hooks: GraphHooks;
  readonly resolve: ResolveHost;
  /** How long the version of a database counts as known, in milliseconds. */
  readonly schemaAgeMs: number;
  /** Bytes that are held of the answers to a statement without a response budget; 64 MiB when unset. */
  readonly answerBytes?: number;
}

/** Settings of the drivers of projects' own databases. */
const poolSize = 10;
const maxOpen = 200;
const defaultAnswerBytes = 64 * 1024 * 1024;
const idleMs = 10 * 60_000;
const sweepMs = 60_000;
/** Longer than the longest call that may still use a driver that was replaced. */
const drainMs = 90_000;

/** Databases of projects that have one of their own: one driver each. */
export interface OwnDatabases {
  /**
   * A database whose statements fail with Problem `unavailable` (503) where this build does not understand its data. Those of
   * the composite database depend on the version of the default database.
   *
   * @throws Problem `unavailable` (503) when the connection is not known, or leads to no Neo4j.
   */
  of(project: ProjectGraph, part: DatabasePart | undefined, statementClass: StatementClass): Database;
  /** The same without a check of the version of its data. */
  ofAnyVersion(
    project: ProjectGraph,
    part: DatabasePart | undefined,
    statementClass: StatementClass,
  ): Database;
  /** Closes the drivers of a project that was deleted, once its calls are over. */
  release(projectId: string): void;
  /** The open drivers, including those whose last call is not over. */
  drivers(): readonly Driver[];
  /** The schedulers of the open databases. */
  schedulers(): readonly Scheduler[];
  close(): Promise<void>;
}

interface Entry {
  connection: Connection;
  readonly driver: Driver;
  readonly scheduler: Scheduler;
  readonly database: OpenDatabase;
  readonly schema: OwnSchema;
  /** The organization of its project, as far as it is known. */
  readonly owner: string;
  usedAt: number;
}

/** The parts of the name of an entry. */
const splitName = (name: string): { readonly projectId: string; readonly part: string } => {
  const slash = name.indexOf("/");
  return slash < 0
    ? { projectId: name, part: "" }
    : { projectId: name.slice(0, slash), part: name.slice(slash + 1) };
};

const open = (name: string, owner: string, connection: Connection, parts: OwnDatabasesParts): Entry => {
  const { queue, hooks, resolve, schemaAgeMs: ageMs, answerBytes = defaultAnswerBytes } = parts;
  const { projectId, part } = splitName(name);
  const { url: uri, username, password, name: databaseName = "neo4j" } = connection;
  const driver = openGuardedDriver({ uri, username, password, poolSize }, resolve);
  const scheduler = openScheduler({ ...queue, capacity: capacityOf({ poolSize, exclusive: true }) }, hooks);
  const source = { driver, database: databaseName, part, clustered: isClustered(uri), answerBytes };
  const database = openDatabase(source, scheduler, hooks);
  const constituent = part === "" ? undefined : part;
  const schema = new OwnSchema({
    database: database.platform,
    ageMs,
    onChange: (reason) => hooks.onOwnSchema?.({ projectId, constituent, reason }),
  });
  return { connection, driver, scheduler, database, schema, owner, usedAt: performance.now() };
};

/** The connection to a part of a project's graph, and the name of its entry: ids of projects hold no slash. */
const placeOf = (
  { id, connection, composite }: ProjectGraph,
  part: DatabasePart | undefined,
): { readonly name: string; readonly connection: Connection | undefined } => {
  if (part === undefined) return { name: id, connection };
  if (part === "composite") {
    const { database } = composite ?? {};
    return {
      name: `${id}/`,
      connection: connection && database ? { ...connection, name: database } : undefined,
    };
  }
  const ofConstituent = composite?.connections.get(part.constituent);
  // The default database may be a constituent as well.
  return ofConstituent === connection
    ? { name: id, connection }
    : { name: `${id}/${part.constituent}`, connection: ofConstituent };
};

const isOf = (name: string, projectId: string): boolean =>
  name === projectId || name.startsWith(`${projectId}/`);

/** Opens drivers when they are needed; one that is not used for ten minutes is closed. */
class OpenOwnDatabases implements OwnDatabases {
  readonly #parts: OwnDatabasesParts;
  readonly #entries = new Map<string, Entry>();
  /** Drivers that were replaced or are no longer used; each is closed after `drainMs`. */
  readonly #retiredDrivers = new Map<Driver, NodeJS.Timeout>();
  readonly #sweep: NodeJS.Timeout;
  #isClosed = false;

  constructor(parts: OwnDatabasesParts) {
    this.#parts = parts;
    this.#sweep = setInterval(() => this.#releaseIdle(), sweepMs).unref();
  }

  of(project: ProjectGraph, part: DatabasePart | undefined, statementClass: StatementClass): Database {
    const entry = this.#open(project, part);
    // Constituents that are reached through the server alone have no version of their own.
    const { schema } = part === "composite" ? this.#open(project, undefined) : entry;
    return checkedDatabase(entry.database.of(project, statementClass), () => schema.check());
  }

  ofAnyVersion(
    project: ProjectGraph,
    part: DatabasePart | undefined,
    statementClass: StatementClass,
  ): Database {
    return this.#open(project, part).database.of(project, statementClass);
  }

  #open(project: ProjectGraph, part: DatabasePart | undefined): Entry {
    const { name, connection } = placeOf(project, part);
    if (connection === undefined)
      throw unavailable(new Error("the connection of a project's own database is not known"));
    if (this.#isClosed) throw unavailable(new Error("the databases of projects are closed"));
    try {
      const entry = this.#entryOf(name, project.organizationId ?? project.id, connection);
      entry.usedAt = performance.now();
      return entry;
    } catch (error) {
      throw unavailable(error);
    }
  }

  release(projectId: string): void {
    for (const name of this.#entries.keys()) if (isOf(name, projectId)) this.#release(name);
  }

  drivers(): readonly Driver[] {
    return [...[...this.#entries.values()].map(({ driver }) => driver), ...this.#retiredDrivers.keys()];
  }

  schedulers(): readonly Scheduler[] {
    return [...this.#entries.values()].map(({ scheduler }) => scheduler);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#sweep);
    const drivers = this.drivers();
    this.#entries.clear();
    await Promise.all(drivers.map((driver) => this.#end(driver)));
  }

  #entryOf(name: string, owner: string, connection: Connection): Entry {
    const known = this.#entries.get(name);
    // The same object as long as nothing of the project changes.
    if (known?.connection === connection) return known;
    if (known !== undefined && isDeepStrictEqual(known.connection, connection)) {
      known.connection = connection;
      return known;
    }
    this.#release(name);
    const entry = open(name, owner, connection, this.#parts);
    if (this.#entries.size >= maxOpen) this.#releaseOne();
    this.#entries.set(name, entry);
    return entry;
  }

  /** The one that was used longest ago: of an organization that has more than half of them, else of all. */
  #releaseOne(): void {
    const entries = [...this.#entries];
    const byOwner = Map.groupBy(entries, ([, { owner }]) => owner);
    const most = [...byOwner.values()].find(({ length }) => length > maxOpen / 2);
    const [oldest] = (most ?? entries).toSorted(([, a], [, b]) => a.usedAt - b.usedAt);
    if (oldest !== undefined) this.#release(oldest[0]);
  }

  #releaseIdle(): void {
    const before = performance.now() - idleMs;
    for (const [name, { usedAt }] of this.#entries) if (usedAt < before) this.#release(name);
  }

  #release(name: string): void {
    const entry = this.#entries.get(name);
    if (entry === undefined) return;
    this.#entries.delete(name);
    this.#retiredDrivers.set(entry.driver, setTimeout(() => void this.#end(entry.driver), drainMs).unref());
  }

  async #end(driver: Driver): Promise<void> {
    clearTimeout(this.#retiredDrivers.get(driver));
    this.#retiredDrivers.delete(driver);
    // Errors while closing are ignored: the server is gone.
    await driver.close().catch(() => undefined);
  }
}

/** Opens the databases that projects bring, each when it is first used. The caller closes them all by `close`. */
export const openOwnDatabases = (parts: OwnDatabasesParts): OwnDatabases => new OpenOwnDatabases(parts);
