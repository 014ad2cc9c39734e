import type { Catalog, McpServer, ProjectSnapshot } from "@ikg/catalog";
import { Problem } from "@ikg/contracts";
import { basePathOf, type RequestTarget, wellKnownName } from "./request-target.ts";

/** The endpoint of one project as it is configured now. */
export interface McpEndpoint {
  readonly view: ProjectSnapshot;
  readonly server: McpServer;
  /** Issuer of the tokens that it accepts. */
  readonly issuer: string;
  /** Its address as the client spelled it. */
  readonly resource: string;
  readonly metadataUrl: string;
}

/** The protected resource metadata (RFC 9728, section 2). */
export type Metadata = Readonly<Record<string, unknown>>;

/**
 * Finds the endpoint of a project.
 *
 * @param publicUrl address under which clients reach the gateway; never taken from a request.
 * @throws Problem "not_found" (404), the same for an unknown project, one without an MCP server and a disabled one.
 */
export const openEndpoints = (
  catalog: Catalog,
  publicUrl: string,
): ((target: RequestTarget) => Promise<McpEndpoint>) => {
  const { origin } = new URL(publicUrl);
  const base = basePathOf(publicUrl);
  return async ({ project, spelled }) => {
    const view = await catalog.snapshot(project);
    const server = view?.mcpServer;
    const issuer = server?.introspect.jwtMatcher?.issuer;
    if (view === undefined || server === undefined || issuer === undefined || !server.enabled)
      throw new Problem("not_found");
    const path = `${base}/mcp/v1/${spelled}`;
    return {
      view,
      server,
      issuer,
      resource: `${origin}${path}`,
      metadataUrl: `${origin}${wellKnownName}${path}`,
    };
  };
};

export const metadataOf = ({ server, issuer, resource }: McpEndpoint): Metadata => ({
  resource,
  authorization_servers: [issuer],
  scopes_supported: server.scopesSupported,
  bearer_methods_supported: ["header"],
  resource_name: server.displayName ?? server.name,
});
