/** `$IKG_HOME/environment.json`: where the suite is and the first credential; all that a client or a test needs. */
import { readFileSync } from "node:fs";

export interface Environment {
  readonly base_url: string;
  readonly mcp_url: string;
  readonly organization_id: string;
  readonly service_account_token: string;
  readonly neo4j_uri: string;
  readonly neo4j_username: string;
  readonly neo4j_password: string;
  readonly redis_url: string;
  /** Where each process has its metrics and the level of its log, by service; those of this machine alone. */
  readonly metrics_urls?: Readonly<Record<string, string>>;
  /** Processes of each service; one by default. */
  readonly replicas?: number;
}

/** What a client of the public API needs. */
export type ClientEnvironment = Pick<
  Environment,
  "base_url" | "mcp_url" | "organization_id" | "service_account_token"
>;

/** Undefined when there is none. */
export const readEnvironment = (file: string): Environment | undefined => {
  try {
    // Written by this package alone, with this shape.
    return JSON.parse(readFileSync(file, "utf8")) as Environment;
  } catch {
    return undefined;
  }
};
