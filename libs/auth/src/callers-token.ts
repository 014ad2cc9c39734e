import type { AgentCaller } from "@ikg/contracts";
import type { Introspection } from "./introspection/introspect.ts";
import { contextInvalid } from "./internal-context/verify-context.ts";
import type {
  IntrospectedProject,
  IntrospectionConfig,
  OnIntrospected,
  Token,
} from "./introspection/types.ts";

/** A project with the one that calls by MCP for its users. */
interface CalledProject extends IntrospectedProject {
  readonly mcpServer: { readonly agent: AgentCaller; readonly introspect: IntrospectionConfig } | undefined;
}

/**
 * The permissions that mcp states have to be those of the agent: with its key alone it cannot give itself others.
 *
 * @throws Problem `internal_context_invalid` (503) for an agent that is not the one of the project's MCP server, or that has not
 *   these permissions.
 */
const byMcp = (
  { project, mcpServer }: CalledProject,
  { agent, permissions }: AgentCaller,
): IntrospectedProject => {
  if (mcpServer?.agent.agent !== agent) throw contextInvalid(new Error("not the agent of the MCP server"));
  if (!permissions.every((permission) => mcpServer.agent.permissions.includes(permission)))
    throw contextInvalid(new Error("not the permissions of the agent"));
  return { project, introspects: [mcpServer.introspect] };
};

/**
 * The end user's token of a call, introspected now; undefined when the call has none. In a call of mcp the configuration of
 * the MCP server applies, and no outcome is reported, because mcp has recorded its own.
 *
 * @throws Problem what `Introspection.introspect` throws; `internal_context_invalid` (503).
 */
export const callersToken = async (
  introspection: Introspection,
  caller: AgentCaller,
  bearer: string | undefined,
  project: CalledProject,
  onIntrospected?: OnIntrospected,
): Promise<Token | undefined> => {
  const { user } = caller;
  // A context as releases before 0.2 make them names the user and comes without the bearer.
  if (bearer === undefined) return user;
  return user === undefined
    ? introspection.introspect(bearer, project, Date.now(), onIntrospected)
    : introspection.introspect(bearer, byMcp(project, caller), Date.now());
};
