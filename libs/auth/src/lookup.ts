import type { Database } from "@ikg/graph";
import { type Caller, Caller as CallerSchema } from "@ikg/contracts";
import { lookUpProperties as column, partOf, quoteName, recordLabel } from "@ikg/physical";

/** A stored credential with whom it stands for. */
export interface StoredCredential {
  readonly tokenHash: string;
  /** Milliseconds since the epoch; Infinity without expiry. */
  readonly expires: number;
  readonly caller: Caller;
}

const record = quoteName(recordLabel);
const part = quoteName(partOf);

/**
 * One credential by key id, with the agent, application and project, or the service account, that it belongs to.
 * What is missing on the way up is null, and then nobody is let in.
 */
const statement = `
MATCH (c:${record} {${column.kid}: $kid})
OPTIONAL MATCH (agent:${record} {id: c.${column.agentId}})-[:${part}]->(application:${record})-[:${part}]->(project:${record})
OPTIONAL MATCH (account:${record} {id: c.${column.serviceAccountId}})
RETURN c.kind AS kind, c.${column.tokenHash} AS token_hash, toString(c.${column.expireTime}) AS expire_time,
       agent.id AS agent_id, agent.data AS agent_data, application.id AS application_id, project.id AS project_id,
       project.organization_id AS project_organization_id,
       account.id AS account_id, account.data AS account_data, account.organization_id AS account_organization_id
LIMIT 1`;

const lookupMs = 5_000;

const parsed = (text: unknown): Record<string, unknown> => {
  const value: unknown = typeof text === "string" ? JSON.parse(text) : {};
  return typeof value === "object" && value !== null ? { ...value } : {};
};

/** A time that cannot be read has passed. */
const expiry = (text: unknown): number => {
  if (text === null || text === undefined) return Infinity;
  const time = typeof text === "string" ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? -Infinity : time;
};

/**
 * Looks a credential up by its key id.
 *
 * @returns undefined when there is none or its owner is gone.
 * @throws Problem `unavailable` when the database cannot be asked.
 */
export const findCredential = async (
  database: Database,
  kid: string,
  requestId?: string,
): Promise<StoredCredential | undefined> => {
  const [row] = await database.read(
    statement,
    { kid },
    { timeoutMs: lookupMs, ...(requestId === undefined ? {} : { requestId }) },
  );
  if (row === undefined || typeof row["token_hash"] !== "string") return undefined;
  const agent = row["kind"] === "application_agent_credential";
  const caller = CallerSchema.safeParse(
    agent
      ? {
          kind: "agent",
          credential_kid: kid,
          org: row["project_organization_id"],
          project: row["project_id"],
          application: row["application_id"],
          agent: row["agent_id"],
          permissions: parsed(row["agent_data"])["api_permissions"],
        }
      : {
          kind: "service_account",
          credential_kid: kid,
          org: row["account_organization_id"],
          service_account: row["account_id"],
          role: parsed(row["account_data"])["role"],
        },
  );
  if (!caller.success) return undefined;
  return { tokenHash: row["token_hash"], expires: expiry(row["expire_time"]), caller: caller.data };
};
