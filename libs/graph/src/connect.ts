import { setTimeout as wait } from "node:timers/promises";
import neo4j, { type Driver } from "neo4j-driver";
import { openDatabase } from "./database.ts";
import { GraphAway, isCredentialRefused, isSchemaRace } from "./errors.ts";
import { awaitIndexes, missingFrom, showIndexes } from "./schema.ts";
import type { Graph, GraphHooks, GraphSettings } from "./types.ts";

const defaultPoolSize = 50;
const readyTimeoutMs = 2_000;
const schemaTimeoutMs = 310_000;

const openDriver = ({ uri, username, password, poolSize }: GraphSettings): Driver => {
  try {
    // Settings of neo4j specification 5.
    return neo4j.driver(uri, neo4j.auth.basic(username, password), {
      disableLosslessIntegers: true,
      maxConnectionPoolSize: poolSize ?? defaultPoolSize,
      connectionAcquisitionTimeout: 5_000,
      connectionTimeout: 5_000,
      maxTransactionRetryTime: 5_000,
      notificationFilter: { minimumSeverityLevel: "OFF" },
      telemetryDisabled: true,
      userAgent: "ikg/0.1",
    });
  } catch (error) {
    throw new Error(`the Neo4j address is not usable: ${shown(uri)} (bolt:// or neo4j:// expected)`, {
      cause: error,
    });
  }
};

/** An address without anything that could be a password. */
const shown = (uri: string): string => uri.replace(/\/\/[^/@]*@/, "//");

/**
 * Opens the graph: one driver for the life of the process. Nothing is sent before the first call.
 *
 * @throws Error when the address is not one of Neo4j.
 */
export const connectGraph = (settings: GraphSettings, hooks: GraphHooks = {}): Graph => {
  const driver = openDriver(settings);
  const shared = openDatabase(driver, settings.database ?? "neo4j", hooks);

  const explain = (error: unknown): Error =>
    isCredentialRefused(error)
      ? new Error(`Neo4j at ${shown(settings.uri)} refused the user name or the password`, { cause: error })
      : new GraphAway(`Neo4j at ${shown(settings.uri)} cannot be used now`, { cause: error });

  return {
    shared,
    of: () => shared,
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
        const missing = missingFrom(await shared.read(showIndexes, {}, { timeoutMs: schemaTimeoutMs }));
        if (missing.length === 0) return;
        for (const statement of missing) {
          // A change of the schema has a transaction of its own.
          await shared
            .write((tx) => tx.run(statement, {}), { timeoutMs: schemaTimeoutMs })
            .catch((error: unknown) => {
              if (!isSchemaRace(error)) throw error;
            });
        }
        await shared.read(awaitIndexes, {}, { timeoutMs: schemaTimeoutMs });
      } catch (error) {
        throw explain(error);
      }
    },
    close: () => driver.close(),
  };
};
