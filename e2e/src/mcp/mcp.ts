import { storePolicy } from "../configuration/save-policy.ts";
import { storeQuery } from "../configuration/save-query.ts";
import { createTenant, type Tenant } from "../configuration/tenant.ts";
import { environment } from "../environment.ts";
import { freshName } from "../fresh-name.ts";
import { capture } from "../requests/capture.ts";
import { openAdmin } from "../requests/clients.ts";
import { type Answer, send, type Sending } from "../requests/send.ts";
import { takeEffect } from "../take-effect.ts";
import { createTokenIssuer, type TokenIssuer } from "../tokens/token-issuer.ts";

/** A project with an MCP server. */
export interface McpServerTenant extends Tenant {
  readonly issuer: TokenIssuer;
  readonly serverId: string;
}

/** A project with an MCP server, in which ann drives a red car and bob a blue one. */
export interface CarTenant extends McpServerTenant {
  readonly queryId: string;
}

/** The same with more policies, and a query for which a user signs in again. */
export interface McpTenant extends CarTenant {
  readonly otherQueryId: string;
}

const drive = {
  meta: { policy_version: "2.0-kbac" },
  subject: { type: "Person" },
  actions: ["DRIVE"],
  resource: { type: "Car" },
  condition: { cypher: "MATCH (subject:Person)-[:OWNS]->(resource:Car)" },
};
const race = {
  ...drive,
  actions: ["RACE"],
  condition: {
    cypher: "MATCH (subject:Person)-[:OWNS]->(resource:Car) WHERE resource.property.speed <= $limit",
  },
};
const watch = {
  ...drive,
  meta: { policy_version: "3.0-kbac" },
  actions: ["WATCH"],
};
const ownCars = {
  meta: { policy_version: "1.0-ciq" },
  subject: { type: "Person" },
  condition: { cypher: "MATCH (subject:Person)-[:OWNS]->(car:Car)" },
  allowed_reads: { nodes: ["car.*"] },
};
const freshSignIn = {
  ...ownCars,
  condition: {
    ...ownCars.condition,
    token_filter: [
      {
        attribute: "$token.auth_age",
        operator: "<=",
        value: 300,
        advice: { error: "insufficient_user_authentication", error_description: "Sign in again" },
      },
    ],
  },
};

const person = (external_id: string) => ({ type: "Person", external_id });
const car = (external_id: string) => ({ type: "Car", external_id });
const speeds = { red: 90, blue: 190 } as const;
const owners = { ann: "red", bob: "blue" } as const;

const captureCars = (tenant: Tenant): Promise<void> =>
  capture(
    {
      nodes: [
        ...Object.keys(owners).map(person),
        ...Object.entries(speeds).map(([colour, speed]) => ({
          ...car(colour),
          properties: [
            { type: "colour", value: colour },
            { type: "speed", value: speed },
          ],
        })),
      ],
      relationships: Object.entries(owners).map(([owner, colour]) => ({
        source: person(owner),
        target: car(colour),
        type: "OWNS",
      })),
    },
    tenant,
  );

/** Saves what decides on cars and shows them, which has not taken effect yet. @returns the id of the query */
const storeCarQuery = async (projectId: string): Promise<string> => {
  await storePolicy(projectId, { name: "drive", policy: drive });
  const policyId = await storePolicy(projectId, { name: "own-cars", policy: ownCars });
  return storeQuery(projectId, {
    name: "slow-cars",
    policyId,
    query: {
      nodes: ["car.external_id", "car.property.colour"],
      filter: { attribute: "car.property.speed", operator: "<=", value: "$limit" },
    },
  });
};

/** Saves the other policies and the other query. @returns its id */
const storeOtherQuery = async (projectId: string): Promise<string> => {
  for (const [name, policy] of Object.entries({ race, watch }))
    await storePolicy(projectId, { name, policy });
  const policyId = await storePolicy(projectId, { name: "fresh-sign-in", policy: freshSignIn });
  return storeQuery(projectId, {
    name: "own-cars-lately",
    policyId,
    query: { nodes: ["car.external_id"] },
  });
};

/** Arguments of a question that is granted to ann, and denied to bob. */
export const driveRed = { resource_type: "Car", resource_id: "red", action_name: "DRIVE" };

/** Creates a project with an MCP server, without policies and data; the caller removes it with `remove`. */
export const createMcpServer = async (stem: string): Promise<McpServerTenant> => {
  const tenant = await createTenant(stem);
  const { projectId } = tenant;
  try {
    const issuer = await createTokenIssuer(projectId);
    const { id: serverId } = await openAdmin(projectId).mcpServers.create({
      name: freshName("mcp"),
      display_name: "Cars",
      app_agent_id: tenant.agentId,
      token_introspect_id: issuer.introspectId,
      enabled: true,
      scopes_supported: ["cars", "people"],
    });
    await takeEffect();
    return { ...tenant, issuer, serverId };
  } catch (error) {
    await tenant.remove();
    throw error;
  }
};

/** Creates the project with the cars; the caller removes it with `remove`. */
export const createCarTenant = async (stem: string): Promise<CarTenant> => {
  const tenant = await createMcpServer(stem);
  try {
    await captureCars(tenant);
    const queryId = await storeCarQuery(tenant.projectId);
    await takeEffect();
    return { ...tenant, queryId };
  } catch (error) {
    await tenant.remove();
    throw error;
  }
};

/** Creates the project with every policy and query; the caller removes it with `remove`. */
export const createMcpTenant = async (stem: string): Promise<McpTenant> => {
  const tenant = await createCarTenant(stem);
  try {
    const otherQueryId = await storeOtherQuery(tenant.projectId);
    await takeEffect();
    return { ...tenant, otherQueryId };
  } catch (error) {
    await tenant.remove();
    throw error;
  }
};

/** Where the endpoint of a project is, below the gateway's address. */
export const mcpPath = (projectId: string): string => `/mcp/v1/${projectId}`;

export const mcpUrl = (projectId: string, base = environment().base_url): URL =>
  new URL(`${base}${mcpPath(projectId)}`);

/** What a caller brings besides a message. */
export interface Calling extends Omit<Sending, "json"> {
  readonly token?: string | undefined;
  readonly session?: string | undefined;
}

/** One request to an endpoint, with the headers that every client sends. */
export const callMcp = (
  projectId: string,
  message: unknown,
  { token, session, headers = {}, ...sending }: Calling = {},
): Promise<Answer> =>
  send(mcpPath(projectId), {
    ...sending,
    ...(message === undefined || sending.raw !== undefined ? {} : { json: message }),
    headers: {
      Accept: "application/json, text/event-stream",
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...(session === undefined ? {} : { "Mcp-Session-Id": session }),
      ...headers,
    },
  });

export interface RpcAnswer extends Answer {
  readonly body: {
    readonly id?: unknown;
    readonly result?: Readonly<Record<string, unknown>>;
    readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
    readonly [member: string]: unknown;
  };
}

let lastId = 0;

/** One request of the revision 2025-11-25. */
export const legacyCall = async (
  projectId: string,
  method: string,
  params: object | undefined,
  calling: Calling,
): Promise<RpcAnswer> =>
  (await callMcp(
    projectId,
    { jsonrpc: "2.0", id: ++lastId, method, ...(params === undefined ? {} : { params }) },
    { ...calling, headers: { "MCP-Protocol-Version": "2025-11-25", ...calling.headers } },
  )) as RpcAnswer; // a body that is none shows in what is expected of it

export const initialize = (version = "2025-11-25") => ({
  jsonrpc: "2.0",
  id: ++lastId,
  method: "initialize",
  params: {
    protocolVersion: version,
    capabilities: {},
    clientInfo: { name: "e2e", version: "1" },
  },
});

/** Opens a session and sends `notifications/initialized`. */
export const openSession = async (projectId: string, token: string, base?: string): Promise<string> => {
  const at = base === undefined ? {} : { base };
  const answer = await callMcp(projectId, initialize(), { token, ...at });
  const session = answer.headers.get("mcp-session-id");
  if (answer.status !== 200 || session === null)
    throw new Error(`initialize: ${answer.status} ${answer.text}`);
  await callMcp(
    projectId,
    { jsonrpc: "2.0", method: "notifications/initialized" },
    { token, session, ...at },
  );
  return session;
};

export const modernVersion = "2026-07-28";

/** Metadata of every request of the revision 2026-07-28. */
export const meta = (more: object = {}) => ({
  "io.modelcontextprotocol/protocolVersion": modernVersion,
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": { name: "e2e", version: "1" },
  ...more,
});

const nameOf = (method: string, params: Readonly<Record<string, unknown>>): unknown =>
  method === "tools/call" || method === "prompts/get"
    ? params["name"]
    : method === "resources/read"
      ? params["uri"]
      : undefined;

/** One request of the revision 2026-07-28. @param headers null leaves one of the usual ones out. */
export const modernCall = async (
  projectId: string,
  method: string,
  params: Readonly<Record<string, unknown>> = {},
  {
    headers = {},
    ...calling
  }: Omit<Calling, "headers"> & { readonly headers?: Readonly<Record<string, string | null>> } = {},
): Promise<RpcAnswer> => {
  const name = nameOf(method, params);
  const all: Readonly<Record<string, string | null>> = {
    "MCP-Protocol-Version": modernVersion,
    "Mcp-Method": method,
    ...(typeof name === "string" ? { "Mcp-Name": name } : {}),
    ...headers,
  };
  const given = Object.entries(all).flatMap(([key, value]) => (value === null ? [] : [[key, value]]));
  return (await callMcp(
    projectId,
    { jsonrpc: "2.0", id: ++lastId, method, params: { _meta: meta(), ...params } },
    { ...calling, headers: Object.fromEntries(given) as Record<string, string> },
  )) as RpcAnswer; // as above
};
