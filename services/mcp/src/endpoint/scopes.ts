import type { Token } from "@ikg/auth";
import type { McpSettings } from "../settings.ts";
import { scopeMissing } from "./challenge.ts";
import type { McpEndpoint } from "./mcp-endpoint.ts";

/** Checks that a token was granted the scopes that a call needs. */
export type CheckScopes = (endpoint: McpEndpoint, user: Token, tool: string | undefined) => void;

const texts = (value: unknown): readonly string[] =>
  typeof value === "string"
    ? value.split(/\s+/)
    : Array.isArray(value)
      ? value.filter((each) => typeof each === "string")
      : [];

/** Authorization servers write `scope` (RFC 9068) or `scp`. */
const granted = ({ claims }: Token): ReadonlySet<string> =>
  new Set([...texts(claims["scope"]), ...texts(claims["scp"])]);

/**
 * Scopes are demanded where the deployment says so; by default policies gate what a token may do.
 *
 * @throws ChallengeError 403 naming every scope of the call.
 */
export const openScopes = (settings: McpSettings): CheckScopes => {
  const ofTool: Readonly<Record<string, readonly string[]>> = {
    authzen_evaluate: settings.MCP_REQUIRED_SCOPES_AUTHZEN_EVALUATE,
    ciq_execute: settings.MCP_REQUIRED_SCOPES_CIQ_EXECUTE,
  };
  return (endpoint, user, tool) => {
    const more = tool !== undefined && Object.hasOwn(ofTool, tool) ? (ofTool[tool] ?? []) : [];
    const needed = [...new Set([...settings.MCP_REQUIRED_SCOPES, ...more])];
    if (needed.length === 0) return;
    const has = granted(user);
    if (!needed.every((scope) => has.has(scope))) throw scopeMissing(endpoint, needed);
  };
};
