/** What 64 callers ask through the gateway, so that each service behind it has something to do. */
import { Pool } from "undici";
import type { ServiceName } from "@ikg/contracts";
import { inTurn, run } from "../../../stack/src/measurement/measure.ts";
import { makeIssuer } from "../auth/issuer.ts";
import { openAdmin } from "../clients.ts";
import { meta, version } from "../mcp/asks.ts";
import { documents, makeMcpProject, person } from "../mcp/set-up.ts";
import type { Target } from "../settings.ts";
import { plan } from "./plan.ts";

/** One kind of request over and over, and the services that it keeps busy. */
export interface Load {
  readonly busy: readonly ServiceName[];
  readonly run: (ms: number) => Promise<unknown>;
}

interface Sent {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: object;
}

const question = { expected: true } as const;

const owned = {
  meta: { policy_version: "1.0-ciq" },
  subject: { type: "Person" },
  condition: { cypher: "MATCH (subject:Person)-[:OWNS]->(document:Document)" },
  allowed_reads: { nodes: ["document.*"] },
};

const saveQuery = async (target: Target, projectId: string): Promise<string> => {
  const admin = openAdmin(target, projectId);
  const common = { name: "bench-owned", status: "ACTIVE" } as const;
  const { id: policy_id } = await admin.policies.create({ ...common, policy: owned });
  const query = { nodes: ["document.external_id"] };
  return (await admin.queries.create({ ...common, policy_id, query })).id;
};

/** One request for each service behind the gateway, with the services that it keeps busy. */
const requestsOf = (
  { serviceAccountToken }: Target,
  projectId: string,
  apiKey: string,
  authorization: string,
  query: string,
): readonly (readonly [busy: readonly ServiceName[], sent: Sent])[] => {
  const key = { "x-svc-clientkey": apiKey };
  const user = { ...key, authorization };
  const document = { type: "Document", id: documents.owned };
  const evaluation = {
    subject: { type: "Person", id: person },
    action: { name: "READ" },
    resource: document,
  };
  const post = (path: string, headers: Sent["headers"], body: object): Sent => ({
    method: "POST",
    path,
    headers,
    body,
  });
  const mcp = {
    authorization,
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": version,
    "mcp-method": "tools/list",
  };
  return [
    [["gateway", "access"], post("/access/v1/evaluation", user, evaluation)],
    [["gateway", "ciq"], post("/ciq/v1/execute", user, { id: query, input_params: {} })],
    [
      ["gateway", "capture"],
      post("/capture/v1/nodes", key, { nodes: [{ type: "Document", external_id: documents.owned }] }),
    ],
    [
      ["gateway", "configs"],
      {
        method: "GET",
        path: `/configs/v1/projects/${encodeURIComponent(projectId)}`,
        headers: { authorization: `Bearer ${serviceAccountToken}` },
      },
    ],
    [
      ["gateway", "mcp", "access"],
      post(`/mcp/v1/${projectId}`, mcp, {
        jsonrpc: "2.0",
        id: 7,
        method: "tools/list",
        params: { _meta: meta },
      }),
    ],
  ];
};

const sendOver = async (pool: Pool, { method, path, headers, body }: Sent): Promise<true> => {
  const answer = await pool.request({
    method,
    path,
    headers: { "content-type": "application/json", ...headers },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await answer.body.text();
  if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}: ${text}`);
  return true;
};

/** Creates a project for the measurement and lends loads on it to `work`. */
export const withLoads = async <T>(
  target: Target,
  created: (projectId: string) => void,
  work: (loads: readonly Load[]) => Promise<T>,
): Promise<T> => {
  const issuer = await makeIssuer();
  // The first token of the issuer: its subject is the person of the graph.
  const authorization = `Bearer ${await issuer.sign()}`;
  const { id, agent } = await makeMcpProject(target, issuer, created, ["ContXIQ"]);
  const query = await saveQuery(target, id);
  const pool = new Pool(target.gateway, {
    connections: plan.callers,
    pipelining: 1,
    keepAliveTimeout: 60_000,
  });
  try {
    return await work(
      requestsOf(target, id, agent.apiKey, authorization, query).map(([busy, sent]) => ({
        busy,
        run: (ms) => run(() => sendOver(pool, sent), inTurn([question]), plan.callers, ms),
      })),
    );
  } finally {
    await pool.close();
  }
};
