import { DatabaseUnavailableError } from "@ikg/graph";
import neo4j, { type Driver, type ManagedTransaction, type Session } from "neo4j-driver";
import type { DatabaseSettings } from "../commands/command-database.ts";

/** A database that is read, or restored into, as it is stored: integers are bigints, elements have their ids. */
export interface RawDatabase {
  /** Rows of a statement in READ mode, as they come. */
  stream(text: string, params?: Readonly<Record<string, unknown>>): AsyncGenerator<RawRow>;
  /** All of them. */
  read(text: string, params?: Readonly<Record<string, unknown>>): Promise<readonly RawRow[]>;
  write<T>(work: (tx: ManagedTransaction) => Promise<T>): Promise<T>;
  /** A session that the caller closes. */
  session(): Session;
  close(): Promise<void>;
}

export type RawRow = Readonly<Record<string, unknown>>;

/** A statement that streams a whole graph takes as long as its reader. */
const streamTimeoutMs = 6 * 3_600_000;
const writeTimeoutMs = 120_000;

/** @throws DatabaseUnavailableError when it cannot be reached */
export const openRaw = async (settings: DatabaseSettings): Promise<RawDatabase> => {
  const { NEO4J_URI: uri, NEO4J_USERNAME: user, NEO4J_PASSWORD: password } = settings;
  const database = settings.NEO4J_DATABASE;
  const driver: Driver = neo4j.driver(uri, neo4j.auth.basic(user, password), {
    useBigInt: true,
    fetchSize: 2_000,
    maxTransactionRetryTime: 30_000,
    notificationFilter: { minimumSeverityLevel: "OFF" },
    telemetryDisabled: true,
    userAgent: "ikg-backup/0.1",
  });
  try {
    await driver.verifyConnectivity({ database });
  } catch (error) {
    await driver.close();
    throw new DatabaseUnavailableError(
      `Neo4j at ${uri.replace(/\/\/[^/@]*@/, "//")} cannot be used: ${(error as Error).message}`,
      { cause: error },
    );
  }
  async function* stream(text: string, params: Readonly<Record<string, unknown>> = {}) {
    const session = driver.session({ database, defaultAccessMode: neo4j.session.READ });
    try {
      const result = session.run(text, params, { timeout: streamTimeoutMs });
      for await (const record of result) yield record.toObject() as RawRow;
    } finally {
      await session.close();
    }
  }
  return {
    stream,
    read: async (text, params) => {
      const rows: RawRow[] = [];
      for await (const row of stream(text, params)) rows.push(row);
      return rows;
    },
    write: async (work) => {
      const session = driver.session({ database, defaultAccessMode: neo4j.session.WRITE });
      try {
        return await session.executeWrite(work, { timeout: writeTimeoutMs });
      } finally {
        await session.close();
      }
    },
    session: () => driver.session({ database, defaultAccessMode: neo4j.session.WRITE }),
    close: () => driver.close(),
  };
};
