import neo4j, { type Driver } from "neo4j-driver";
import { batchDriverWrites } from "../statements/write-batching.ts";

/** An address and the credential to use there. */
export interface DriverSettings {
  readonly uri: string;
  readonly username: string;
  readonly password: string;
  /** Connections at most. */
  readonly poolSize: number;
}

/** An address without anything that could be a password. */
export const redactUri = (uri: string): string => uri.replace(/\/\/[^/@]*@/, "//");

/** True for an address that may lead to several servers: `neo4j://` fetches a routing table, `bolt://` does not. */
export const isClustered = (uri: string): boolean => uri.startsWith("neo4j");

/**
 * A driver with the settings of every process. Nothing is sent before the first call.
 *
 * @throws Error when the address is not one of Neo4j.
 */
export const openDriver = ({ uri, username, password, poolSize }: DriverSettings): Driver => {
  try {
    const driver = neo4j.driver(uri, neo4j.auth.basic(username, password), {
      disableLosslessIntegers: true,
      maxConnectionPoolSize: poolSize,
      connectionAcquisitionTimeout: 5_000,
      connectionTimeout: 5_000,
      maxTransactionRetryTime: 5_000,
      notificationFilter: { minimumSeverityLevel: "OFF" },
      telemetryDisabled: true,
      userAgent: "ikg/0.1",
    });
    return batchDriverWrites(driver);
  } catch (error) {
    throw new Error(`the Neo4j address is not usable: ${redactUri(uri)} (bolt:// or neo4j:// expected)`, {
      cause: error,
    });
  }
};
