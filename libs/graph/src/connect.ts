import { setTimeout as wait } from "node:timers/promises";
import { claim, sharedOwner } from "./claim.ts";
import { connectionsOf, connectionsOfAll } from "./connections.ts";
import { openDatabase } from "./database.ts";
import { isClustered, openDriver, shown } from "./driver.ts";
import { GraphAway, isCredentialRefused } from "./errors.ts";
import type { ResolveHost } from "./guarded-driver.ts";
import { openOwnDatabases } from "./own-databases.ts";
import { prepareSchema, schema } from "./schema.ts";
import type { Graph, GraphHooks, GraphSettings } from "./types.ts";

const defaultPoolSize = 50;
const readyTimeoutMs = 2_000;
const schemaTimeoutMs = 310_000;

/** Processes that have nothing to do with projects' own databases open none. */
const nowhere: ResolveHost = () => Promise.reject(new Error("this process opens no databases of projects"));

/**
 * Opens the graph: one driver for the life of the process, and one more for each project with a database of its own
 * that is asked for. Nothing is sent before the first call.
 *
 * @param resolve where projects' own databases may be.
 * @throws Error when the address is not one of Neo4j.
 */
export const connectGraph = (
  settings: GraphSettings,
  hooks: GraphHooks = {},
  resolve: ResolveHost = nowhere,
): Graph => {
  const driver = openDriver({ ...settings, poolSize: settings.poolSize ?? defaultPoolSize });
  const own = openOwnDatabases(hooks, resolve);
  const { uri, database = "neo4j" } = settings;
  const source = { driver, database, part: "", clustered: isClustered(uri) };
  const shared = openDatabase(source, hooks, hooks);

  hooks.onOpened?.(() => ({ shared: connectionsOf(driver), own: connectionsOfAll(own.drivers()) }));

  const explain = (error: unknown): Error =>
    isCredentialRefused(error)
      ? new Error(`Neo4j at ${shown(settings.uri)} refused the user name or the password`, { cause: error })
      : new GraphAway(`Neo4j at ${shown(settings.uri)} cannot be used now`, { cause: error });

  return {
    shared,
    of: (project, part) => (project.pk === "" ? own.of(project, part) : shared),
    release: (projectId) => own.release(projectId),
    ready: async () => {
      const limit = new AbortController();
      const answered = shared.read("RETURN 1 AS one", {}, { timeoutMs: readyTimeoutMs }).then(
        () => true,
        () => false,
      );
      // The first call also asks for the version, which has a limit of its own.
      const late = wait(readyTimeoutMs, false, { signal: limit.signal }).catch(() => false);
      return Promise.race([answered, late]).finally(() => limit.abort());
    },
    prepare: async () => {
      try {
        await prepareSchema(shared, schema, schemaTimeoutMs);
        // No project can take the shared database for its own, nor this process that of a project.
        const owner = await claim(shared, sharedOwner, schemaTimeoutMs);
        if (owner !== sharedOwner) throw new Error(`the database is the own one of project ${owner}`);
      } catch (error) {
        throw explain(error);
      }
    },
    close: async () => {
      await Promise.all([own.close(), driver.close()]);
    },
  };
};
