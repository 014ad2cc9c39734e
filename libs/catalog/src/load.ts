import { type Database, withTimeoutAsUnavailable } from "@ikg/graph";
import {
  lookUpProperties,
  partOf,
  recordLabel,
  type RecordLabelKind,
  recordLabels,
  uses,
} from "@ikg/physical";
import { type StoredProject, storedRows } from "./stored.ts";

const timeoutMs = 5_000;

const fields = ".id, .name, .version, .create_time, .data";
const text = `text: CASE WHEN x.id + '@' + toString(x.version) IN $known THEN null ELSE x.${lookUpProperties.text} END`;

const parts = (kind: RecordLabelKind, where: string, shown: string): string =>
  `[(p)<-[:${partOf}]-(x:${recordLabels[kind]}) ${where} | x { ${shown} }]`;
const active = `WHERE x.${lookUpProperties.status} = 'ACTIVE'`;

/** A resolver's data, which may be long, is not sent again either. */
const resolverFields = `.id, .name, .version, .create_time, data: CASE WHEN x.id + '@' + toString(x.version) IN $known THEN null ELSE x.data END`;

/** The MCP server of the project with the agent that it acts as. */
const mcpServer =
  `head([(p)<-[:${partOf}]-(x:${recordLabels.mcp_server})-[:${uses}]->(a:${recordLabels.application_agent})` +
  `-[:${partOf}]->(app:${recordLabels.application}) | ` +
  "x { .id, .name, .display_name, .data, agent_id: a.id, agent_data: a.data, application_id: app.id }])";

/**
 * The project with its ACTIVE policies and queries, its introspection configurations, resolvers and MCP server: one state, one
 * statement.
 */
const statement = [
  `MATCH (p:${recordLabel} {id: $id}) WHERE p.kind = 'project'`,
  "RETURN p { .id, .organization_id, .version, .pk, .ikg_status, .data } AS project,",
  `${parts("authorization_policy", active, `${fields}, .${lookUpProperties.policyKind}, ${text}`)} AS policies,`,
  `${parts("knowledge_query", active, `${fields}, .display_name, .description, ${text}`)} AS queries,`,
  `${parts("token_introspect", "", fields)} AS introspects,`,
  `${parts("external_data_resolver", "", resolverFields)} AS resolvers,`,
  `${mcpServer} AS mcp_server`,
].join(" ");

/**
 * Reads one project.
 *
 * @param known revisions (`revisionKey`) whose texts, or data of resolvers, the caller has already; they are not sent again.
 * @returns undefined when there is no such project.
 * @throws Problem `unavailable` when the database does not answer in time.
 */
export const loadProject = async (
  database: Database,
  id: string,
  known: readonly string[],
): Promise<StoredProject | undefined> => {
  const [row] = await withTimeoutAsUnavailable(() => database.read(statement, { id, known }, { timeoutMs }));
  if (row === undefined) return undefined;
  return {
    project: row["project"] as StoredProject["project"], // a map projection
    policies: storedRows(row["policies"]),
    queries: storedRows(row["queries"]),
    introspects: storedRows(row["introspects"]),
    resolvers: storedRows(row["resolvers"]),
    mcpServer: (row["mcp_server"] ?? undefined) as StoredProject["mcpServer"], // a map projection
  };
};
