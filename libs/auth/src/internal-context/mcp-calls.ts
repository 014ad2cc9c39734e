import type { Caller } from "@ikg/contracts";
import type { CallTarget } from "./context.ts";

/** The endpoints that the mcp service calls: what it signs is good for these alone. */
export const mcpCalls = {
  evaluate: { service: "access", method: "POST", route: "/access/v1/evaluation" },
  execute: { service: "ciq", method: "POST", route: "/ciq/v1/execute" },
} as const satisfies Readonly<Record<string, CallTarget>>;

export type McpCall = (typeof mcpCalls)[keyof typeof mcpCalls];

/** Whether a caller is an agent in the company of a user. */
export const isForUser = (caller: Caller | undefined): boolean =>
  caller?.kind === "agent" && caller.user !== undefined;

/**
 * Whether the mcp service may state a call: of the agent of an MCP server, for a user whose token it has introspected. It
 * cannot speak as an agent by itself, nor as a service account or a person.
 */
export const isMcpCall = (caller: Caller | undefined, { service, method, route }: CallTarget): boolean =>
  isForUser(caller) &&
  Object.values(mcpCalls).some(
    (call) => call.service === service && call.method === method && call.route === route,
  );
