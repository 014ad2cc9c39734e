import type { Gid } from "@ikg/contracts";
import { type Graph, isTemporaryFailure, prepareGraphSchema } from "@ikg/graph";
import { lookUpProperties, recordLabel } from "@ikg/physical";
import type { KeyRing } from "@ikg/secrets";
import { openConnection, ownGraph } from "../records/connection.ts";
import type { Migration, Target } from "./migration.ts";
import { readPlace } from "./progress.ts";
import { migrate, type MigrationContext } from "./run-migration.ts";

export interface OwnDatabases {
  /**
   * Migrates the databases that projects bring, one after the other. One that fails does not keep the others waiting.
   *
   * @returns how many are still behind.
   */
  migrate(context: MigrationContext, migrations: readonly Migration[]): Promise<number>;
}

const timeoutMs = 30_000;
const pageSize = 100;
/** Time until a database that was of the newest version is checked again: it may have been restored from a backup. */
const recheckMs = 600_000;

const { ikgStatus, projectKey } = lookUpProperties;
const projectsText = [
  `MATCH (p:${recordLabel}) WHERE p.id > $after AND p.kind = 'project' AND p.${projectKey} IS NULL AND p.${ikgStatus} = 'ACTIVE'`,
  `RETURN p.id AS id, p.data AS data ORDER BY p.id LIMIT ${pageSize}`,
].join(" ");

interface Found {
  readonly id: Gid;
  /** The sealed connection. */
  readonly sealed: string;
}

const pageAfter = async (graph: Graph, after: string): Promise<readonly Found[]> => {
  const rows = await graph.shared.read(projectsText, { after }, { timeoutMs });
  return rows.map((row) => {
    const { db_connection = "" } = JSON.parse(String(row["data"])) as { db_connection?: string }; // written by this service
    return { id: row["id"] as Gid, sealed: db_connection };
  });
};

/** The projects whose databases were of the newest version when they were last checked. */
const openRecheckTimes = (now: () => number) => {
  /** A project with other databases has another sealed connection. */
  const checks = new Map<Gid, { readonly sealed: string; readonly at: number }>();
  const isUpToDate = ({ id, sealed }: Found): boolean => checks.get(id)?.sealed === sealed;
  return {
    isUpToDate,
    /** True where a project has to be checked, for the first time or again. */
    isDue: (project: Found): boolean =>
      !isUpToDate(project) || now() - (checks.get(project.id)?.at ?? -Infinity) >= recheckMs,
    add: ({ id, sealed }: Found): void => void checks.set(id, { sealed, at: now() }),
    remove: ({ id }: Found): void => void checks.delete(id),
  };
};

/** What a database that is older than the newest version needs. */
interface Work {
  readonly migrations: readonly Migration[];
  /** Version of the last migration. */
  readonly newest: number;
  /** Called before one is migrated. */
  readonly onOlder: () => void;
}

/** Migrates each constituent of a project's own database that is older than the newest version. */
const migrateProject = async (
  context: MigrationContext,
  { graph, parts }: ReturnType<typeof ownGraph>,
  { migrations, newest, onOlder }: Work,
): Promise<void> => {
  for (const part of parts) {
    const target: Target = {
      // Services refuse a version that they do not understand until it was migrated here.
      database: context.graph.ofAnyVersion(graph, part, "background"),
      owner: graph.id,
      project: part === undefined ? graph : undefined,
    };
    const place = await readPlace(target);
    if (place === undefined || place.version >= newest) continue;
    onOlder();
    // Constraints that are newer than the project: it was prepared by an older build.
    await prepareGraphSchema(target.database);
    await migrate(context, target, migrations, (migration) => migration.own);
  }
};

/**
 * @param newest version of the last migration.
 * @param now milliseconds of a clock that is never set back.
 */
export const openOwnDatabaseMigrations = (
  keys: KeyRing,
  newest: number,
  now: () => number = () => performance.now(),
): OwnDatabases => {
  const rechecks = openRecheckTimes(now);

  /** @returns false when it has to be tried again. */
  const tryProject = async (
    context: MigrationContext,
    project: Found,
    migrations: readonly Migration[],
  ): Promise<boolean> => {
    const { id, sealed } = project;
    const work = { migrations, newest, onOlder: () => rechecks.remove(project) };
    try {
      await migrateProject(context, ownGraph(id, openConnection(keys, id, sealed)), work);
      rechecks.add(project);
      return true;
    } catch (error) {
      context.signal.throwIfAborted();
      // It was migrated, and cannot be reached now: its version is read at the next check.
      if (rechecks.isUpToDate(project) && isTemporaryFailure(error)) {
        rechecks.add(project);
        return true;
      }
      rechecks.remove(project);
      context.metrics.failed();
      context.log.warn("a project's own database cannot be migrated now; retrying", {
        project: id,
        error,
      });
      return false;
    }
  };

  return {
    migrate: async (context, migrations) => {
      let behind = 0;
      for (let after = ""; ;) {
        const page = await pageAfter(context.graph, after);
        for (const project of page) {
          context.signal.throwIfAborted();
          if (rechecks.isDue(project) && !(await tryProject(context, project, migrations))) behind += 1;
        }
        if (page.length < pageSize) return behind;
        after = page.at(-1)?.id ?? "";
      }
    },
  };
};
