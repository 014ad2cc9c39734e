/** The ways to ask: the decision call itself, the tool in an open session, the tool without one. */
import { Pool } from "undici";
import type { Ask } from "../../../stack/src/measurement/measure.ts";
import type { Target } from "../settings.ts";
import { plan, type Way } from "./plan.ts";
import { documents, type McpProject, person } from "./set-up.ts";

export interface Question {
  readonly document: string;
  readonly expected: boolean;
}

export const questions: readonly Question[] = [
  { document: documents.owned, expected: true },
  { document: documents.foreign, expected: false },
];

/** The endpoint of a project as one caller sees it. */
export interface Endpoint {
  post(
    path: string,
    headers: Readonly<Record<string, string>>,
    body: unknown,
  ): Promise<{ readonly session: string | undefined; readonly body: unknown }>;
  close(): Promise<void>;
}

export const openEndpoint = ({ gateway }: Target): Endpoint => {
  const pool = new Pool(gateway, { connections: plan.many, pipelining: 1, keepAliveTimeout: 60_000 });
  return {
    post: async (path, headers, sent) => {
      const response = await pool.request({
        method: "POST",
        path,
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          ...headers,
        },
        body: JSON.stringify(sent),
      });
      const text = await response.body.text();
      if (response.statusCode >= 300) throw new Error(`${path} answered ${response.statusCode}: ${text}`);
      const session = response.headers["mcp-session-id"];
      return {
        session: typeof session === "string" ? session : undefined,
        body: text === "" ? undefined : JSON.parse(text),
      };
    },
    close: () => pool.close(),
  };
};

const pathOf = ({ id }: McpProject): string => `/mcp/v1/${id}`;

/** Opens a session and sends `notifications/initialized`. @returns its id */
export const openSession = async (
  endpoint: Endpoint,
  project: McpProject,
  bearer: string,
): Promise<string> => {
  const authorization = `Bearer ${bearer}`;
  const { session } = await endpoint.post(
    pathOf(project),
    { authorization },
    {
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: {
        protocolVersion: "2025-11-25",
        capabilities: {},
        clientInfo: { name: "bench", version: "1" },
      },
    },
  );
  if (session === undefined) throw new Error("no session");
  const ready = { jsonrpc: "2.0", method: "notifications/initialized" };
  await endpoint.post(pathOf(project), { authorization, "mcp-session-id": session }, ready);
  return session;
};

const argumentsOf = ({ document }: Question) => ({
  subject_type: "Person",
  subject_id: person,
  resource_type: "Document",
  resource_id: document,
  action_name: "READ",
});

/** The decision in a tool's result, by its status. */
const decisionOf = (body: unknown): boolean =>
  (body as { result: { structuredContent: { decision: boolean } } }).result.structuredContent.decision;

/** The revision of the protocol without sessions, and the metadata of each of its requests. */
export const version = "2026-07-28";
export const meta = {
  "io.modelcontextprotocol/protocolVersion": version,
  "io.modelcontextprotocol/clientCapabilities": {},
};

export const openAsks = async (
  endpoint: Endpoint,
  project: McpProject,
  bearer: string,
): Promise<Readonly<Record<Way, Ask<Question>>>> => {
  const session = await openSession(endpoint, project, bearer);
  const authorization = `Bearer ${bearer}`;
  const message = (question: Question, more: object = {}) => ({
    jsonrpc: "2.0",
    id: 7,
    method: "tools/call",
    params: { name: "authzen_evaluate", arguments: argumentsOf(question), ...more },
  });
  return {
    evaluation: async ({ document }) => {
      const { body } = await endpoint.post(
        "/access/v1/evaluation",
        { "x-svc-clientkey": project.agent.apiKey, authorization },
        {
          subject: { type: "Person", id: person },
          action: { name: "READ" },
          resource: { type: "Document", id: document },
        },
      );
      return (body as { decision: boolean }).decision; // by the status
    },
    session: async (question) => {
      const headers = { authorization, "mcp-session-id": session, "mcp-protocol-version": "2025-11-25" };
      const { body } = await endpoint.post(pathOf(project), headers, message(question));
      return decisionOf(body);
    },
    stateless: async (question) => {
      const headers = {
        authorization,
        "mcp-protocol-version": version,
        "mcp-method": "tools/call",
        "mcp-name": "authzen_evaluate",
      };
      const { body } = await endpoint.post(pathOf(project), headers, message(question, { _meta: meta }));
      return decisionOf(body);
    },
  };
};
