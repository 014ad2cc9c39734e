import { setTimeout as wait } from "node:timers/promises";
import { claim, sharedOwner } from "./claim.ts";
import { connectionsOf, connectionsOfAll } from "./connections.ts";
import { openDatabase } from "../statements/database.ts";
import { isClustered, openDriver, redactUri } from "./driver.ts";
import { DatabaseUnavailableError, isCredentialRefused } from "../errors.ts";
import type { ResolveHost } from "./guarded-driver.ts";
import { openOwnDatabases } from "./own-databases.ts";
import { defaultSchemaAgeMs } from "../schema/own-schema.ts";
import { capacityOf } from "../scheduling/capacity.ts";
import { openScheduler } from "../scheduling/scheduler.ts";
import { projectsWaiting, sumOfWaiting } from "../scheduling/waiting-counts.ts";
import { prepareSharedSchema } from "../schema/schema.ts";
import { checkSchema, SchemaMismatch } from "../schema/schema-version.ts";
import type { Database, Graph, GraphHooks, GraphSettings } from "../types.ts";

const defaultPoolSize = 50;
const defaultQueueLength = 2_000;
const defaultQueueMs = 10_000;
const readyTimeoutMs = 2_000;
const claimTimeoutMs = 310_000;

/** The default: a process that has nothing to do with projects' own databases opens none. */
const refuseHosts: ResolveHost = () =>
  Promise.reject(new Error("this process opens no databases of projects"));

const isReady = (shared: Database, hooks: GraphHooks): Promise<boolean> => {
  const limit = new AbortController();
  const check = checkSchema(shared, readyTimeoutMs, hooks).then(
    () => true,
    () => false,
  );
  // The first call also reads the version, which has a timeout of its own.
  const late = wait(readyTimeoutMs, false, { signal: limit.signal }).catch(() => false);
  return Promise.race([check, late]).finally(() => limit.abort());
};

const prepareShared = async (shared: Database, hooks: GraphHooks): Promise<void> => {
  await checkSchema(shared, claimTimeoutMs, hooks);
  await prepareSharedSchema(shared);
  // No project can take the shared database for its own, nor this process that of a project.
  const owner = await claim(shared, sharedOwner, claimTimeoutMs);
  if (owner !== sharedOwner) throw new Error(`the database belongs to project ${owner}`);
  // Tells `onSchema` the version of a database that had none before its claim.
  await checkSchema(shared, claimTimeoutMs, hooks);
};

/** Says in one line why the database at this address cannot be used; a wrong version says so itself. */
const explain = (error: unknown, uri: string): Error => {
  if (error instanceof SchemaMismatch) return error;
  const server = `Neo4j at ${redactUri(uri)}`;
  return isCredentialRefused(error)
    ? new Error(`${server} refused the user name or the password`, { cause: error })
    : new DatabaseUnavailableError(`${server} cannot be used now`, { cause: error });
};

/**
 * Opens the graph: one driver for the life of the process, and one more for each project with a database of its own
 * that is needed. Nothing is sent before the first call.
 *
 * @param resolve where projects' own databases may be.
 * @throws Error when the address is not one of Neo4j.
 */
export const connectGraph = (
  settings: GraphSettings,
  hooks: GraphHooks = {},
  resolve: ResolveHost = refuseHosts,
): Graph => {
  const { uri, database = "neo4j", poolSize = defaultPoolSize, heavyStatements } = settings;
  const { queueLength = defaultQueueLength, queueMs = defaultQueueMs } = settings;
  const { statementClass: defaultClass = "query", ownSchemaAgeMs = defaultSchemaAgeMs } = settings;
  const driver = openDriver({ ...settings, poolSize });
  const queue = { queueLength, queueMs };
  const own = openOwnDatabases({ queue, hooks, resolve, schemaAgeMs: ownSchemaAgeMs });
  const source = { driver, database, part: "", clustered: isClustered(uri) };
  const capacity = capacityOf({ poolSize, heavyStatements });
  const { heavySlots, longStatements, databaseTime } = hooks;
  const scheduler = openScheduler({ capacity, ...queue, heavySlots, longStatements, databaseTime }, hooks);
  const opened = openDatabase(source, scheduler, hooks, hooks);
  const shared = opened.platform;

  hooks.onScheduling?.({
    byClass: () => sumOfWaiting([scheduler, ...own.schedulers()]),
    byProject: () => projectsWaiting([scheduler, ...own.schedulers()]),
  });
  hooks.onOpened?.(() => ({ shared: connectionsOf(driver), own: connectionsOfAll(own.drivers()) }));

  const orExplain = (work: Promise<void>): Promise<void> =>
    work.catch((error: unknown) => {
      throw explain(error, uri);
    });

  return {
    shared,
    of: (project, part, statementClass = defaultClass) =>
      project.pk === "" ? own.of(project, part, statementClass) : opened.of(project, statementClass),
    ofAnyVersion: (project, part, statementClass = defaultClass) =>
      project.pk === ""
        ? own.ofAnyVersion(project, part, statementClass)
        : opened.of(project, statementClass),
    release: (projectId) => own.release(projectId),
    checkSchema: () => orExplain(checkSchema(shared, claimTimeoutMs, hooks)),
    ready: () => isReady(shared, hooks),
    prepare: () => orExplain(prepareShared(shared, hooks)),
    close: async () => {
      await Promise.all([own.close(), driver.close()]);
    },
  };
};
