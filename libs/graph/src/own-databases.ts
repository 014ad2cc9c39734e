import { isDeepStrictEqual } from "node:util";
import type { Driver } from "neo4j-driver";
import { openDatabase, type OpenDatabase } from "./database.ts";
import { unavailable } from "./errors.ts";
import { isClustered } from "./driver.ts";
import { openGuardedDriver, type ResolveHost } from "./guarded-driver.ts";
import { capacityOf } from "./scheduling/capacity.ts";
import { openScheduler } from "./scheduling/scheduler.ts";
import type { StatementClass } from "./scheduling/statement-class.ts";
import type { Scheduler, SchedulerSettings } from "./scheduling/types.ts";
import type { Connection, Database, GraphHooks, Part, ProjectGraph } from "./types.ts";

/** What a queue of each own database holds at most. */
type QueueSettings = Pick<SchedulerSettings, "queueLength" | "queueMs">;

/** Settings of the drivers of projects' own databases. */
const poolSize = 10;
const maxOpen = 200;
const idleMs = 10 * 60_000;
const sweepMs = 60_000;
/** Longer than any call may take that goes on with a driver that was replaced. */
const lingerMs = 90_000;

/** Databases of projects that have one of their own: one driver each. */
export interface OwnDatabases {
  /** @throws Problem `unavailable` (503) when the connection is not known, or leads to no Neo4j. */
  of(project: ProjectGraph, part: Part | undefined, statementClass: StatementClass): Database;
  /** Ends the drivers of a project that is gone, once its calls are over. */
  release(projectId: string): void;
  /** Those that are open, until the last call on them is over. */
  drivers(): readonly Driver[];
  /** Those of the databases that are open. */
  schedulers(): readonly Scheduler[];
  close(): Promise<void>;
}

interface Entry {
  connection: Connection;
  readonly driver: Driver;
  readonly scheduler: Scheduler;
  readonly database: OpenDatabase;
  usedAt: number;
}

const open = (
  connection: Connection,
  part: string,
  queue: QueueSettings,
  hooks: GraphHooks,
  resolve: ResolveHost,
): Entry => {
  const { url: uri, username, password, name: database = "neo4j" } = connection;
  const driver = openGuardedDriver({ uri, username, password, poolSize }, resolve);
  const scheduler = openScheduler({ ...queue, capacity: capacityOf({ poolSize, exclusive: true }) }, hooks);
  return {
    connection,
    driver,
    scheduler,
    database: openDatabase({ driver, database, part, clustered: isClustered(uri) }, scheduler, hooks),
    usedAt: 0,
  };
};

/** Where a part of a project's graph is, and under which name it is kept: ids of projects hold no slash. */
const placeOf = (
  { id, connection, composite }: ProjectGraph,
  part: Part | undefined,
): { readonly name: string; readonly connection: Connection | undefined } => {
  if (part === undefined) return { name: id, connection };
  if (part === "composite") {
    const { database } = composite ?? {};
    return {
      name: `${id}/`,
      connection: connection && database ? { ...connection, name: database } : undefined,
    };
  }
  const theirs = composite?.connections.get(part.constituent);
  // The default database may be a constituent as well.
  return theirs === connection
    ? { name: id, connection }
    : { name: `${id}/${part.constituent}`, connection: theirs };
};

const isOf = (name: string, projectId: string): boolean =>
  name === projectId || name.startsWith(`${projectId}/`);

/** Opens drivers as they are asked for; one that nobody used for ten minutes is closed. */
export const openOwnDatabases = (
  queue: QueueSettings,
  hooks: GraphHooks,
  resolve: ResolveHost,
): OwnDatabases => {
  const entries = new Map<string, Entry>();
  const leaving = new Map<Driver, NodeJS.Timeout>();
  let closed = false;

  const end = async (driver: Driver): Promise<void> => {
    clearTimeout(leaving.get(driver));
    leaving.delete(driver);
    // Errors while closing are ignored: the server is gone.
    await driver.close().catch(() => undefined);
  };
  const release = (name: string): void => {
    const entry = entries.get(name);
    if (entry === undefined) return;
    entries.delete(name);
    leaving.set(entry.driver, setTimeout(() => void end(entry.driver), lingerMs).unref());
  };
  const sweep = setInterval(() => {
    const before = performance.now() - idleMs;
    for (const [name, { usedAt }] of entries) if (usedAt < before) release(name);
  }, sweepMs).unref();

  const entryOf = (name: string, connection: Connection): Entry => {
    const known = entries.get(name);
    // The same object as long as nothing of the project changes.
    if (known?.connection === connection) return known;
    if (known !== undefined && isDeepStrictEqual(known.connection, connection)) {
      known.connection = connection;
      return known;
    }
    release(name);
    const part = name.includes("/") ? name.slice(name.indexOf("/") + 1) : "";
    const entry = open(connection, part, queue, hooks, resolve);
    entries.set(name, entry);
    if (entries.size > maxOpen) {
      const [[oldest] = [""]] = [...entries].toSorted(([, a], [, b]) => a.usedAt - b.usedAt);
      if (oldest !== name) release(oldest);
    }
    return entry;
  };

  const drivers = (): readonly Driver[] => [
    ...[...entries.values()].map(({ driver }) => driver),
    ...leaving.keys(),
  ];

  return {
    of: (project, part, statementClass) => {
      const { name, connection } = placeOf(project, part);
      if (connection === undefined)
        throw unavailable(new Error("the connection of a project's own database is not known"));
      if (closed) throw unavailable(new Error("the databases of projects are closed"));
      try {
        const entry = entryOf(name, connection);
        entry.usedAt = performance.now();
        return entry.database.of(project, statementClass);
      } catch (error) {
        throw unavailable(error);
      }
    },
    release: (projectId) => {
      for (const name of entries.keys()) if (isOf(name, projectId)) release(name);
    },
    drivers,
    schedulers: () => [...entries.values()].map(({ scheduler }) => scheduler),
    close: async () => {
      closed = true;
      clearInterval(sweep);
      const open = drivers();
      entries.clear();
      await Promise.all(open.map(end));
    },
  };
};
