import type { Database, Row } from "@ikg/graph";
import { CredentialOwner, type Gid, type Grants, type StatedLimits, storedLimits } from "@ikg/contracts";
import {
  boundTo,
  lookUpProperties as column,
  partOf,
  quoteName,
  recordLabel,
  recordLabels,
} from "@ikg/physical";
import { bindingsIn, grantsOfBindings } from "./role-bindings.ts";
import { storedObject } from "./stored-object.ts";

/** A stored credential with whom it stands for. */
export interface StoredCredential {
  readonly tokenHash: string;
  /** Milliseconds since the epoch; Infinity without expiry. */
  readonly expires: number;
  readonly caller: CredentialOwner;
  /** Limits that the record of an agent's project states. */
  readonly limits: StatedLimits | undefined;
}

const record = quoteName(recordLabel);
const part = quoteName(partOf);
const bindings = `(account)<-[:${quoteName(boundTo)}]-(b:${quoteName(recordLabels.role_binding)})`;

/**
 * Credentials by key id, each with the agent, application and project, or the service account and its roles, that it belongs to.
 * A record that is missing on the way up is null, and the credential is then rejected.
 */
const statement = `
UNWIND $kids AS kid
MATCH (c:${record} {${column.kid}: kid})
OPTIONAL MATCH (agent:${record} {id: c.${column.agentId}})-[:${part}]->(application:${record})-[:${part}]->(project:${record})
OPTIONAL MATCH (account:${record} {id: c.${column.serviceAccountId}})
RETURN kid, c.kind AS kind, c.${column.tokenHash} AS token_hash, toString(c.${column.expireTime}) AS expire_time,
       agent.id AS agent_id, agent.data AS agent_data, application.id AS application_id, project.id AS project_id,
       project.organization_id AS project_organization_id, project.data AS project_data,
       [${bindings} | [b.data, b.project_id]] AS bindings,
       account.id AS account_id, account.data AS account_data, account.organization_id AS account_organization_id`;

const lookupMs = 5_000;

/** A time that cannot be read has passed. */
const expiry = (text: unknown): number => {
  if (text === null || text === undefined) return Infinity;
  const time = typeof text === "string" ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? -Infinity : time;
};

/** What role bindings give to the account of a row. */
const grantsIn = (row: Row): { readonly grants?: Grants } => {
  const bound = bindingsIn(row["bindings"]);
  if (bound.length === 0) return {};
  return { grants: grantsOfBindings(bound, String(row["account_organization_id"]) as Gid) };
};

const storedOf = (row: Row): StoredCredential | undefined => {
  if (typeof row["token_hash"] !== "string") return undefined;
  const agent = row["kind"] === "application_agent_credential";
  const caller = CredentialOwner.safeParse(
    agent
      ? {
          kind: "agent",
          credential_kid: row["kid"],
          org: row["project_organization_id"],
          project: row["project_id"],
          application: row["application_id"],
          agent: row["agent_id"],
          permissions: storedObject(row["agent_data"])["api_permissions"],
        }
      : {
          kind: "service_account",
          credential_kid: row["kid"],
          org: row["account_organization_id"],
          service_account: row["account_id"],
          role: storedObject(row["account_data"])["role"],
          ...grantsIn(row),
        },
  );
  if (!caller.success) return undefined;
  return {
    tokenHash: row["token_hash"],
    expires: expiry(row["expire_time"]),
    caller: caller.data,
    limits: agent ? storedLimits(storedObject(row["project_data"])["limits"]) : undefined,
  };
};

/**
 * Looks credentials up by their key ids.
 *
 * @returns those that exist and whose owner does.
 * @throws Problem `unavailable` when the database cannot be reached.
 */
export const findCredentials = async (
  database: Database,
  kids: readonly string[],
  requestId?: string,
): Promise<ReadonlyMap<string, StoredCredential>> => {
  const rows = await database.read(
    statement,
    { kids },
    { timeoutMs: lookupMs, ...(requestId === undefined ? {} : { requestId }) },
  );
  return new Map(
    rows.flatMap((row) => {
      const stored = storedOf(row);
      return stored === undefined ? [] : [[stored.caller.credential_kid, stored] as const];
    }),
  );
};
