/**
 * The route of a path that the gateway forwards to mcp, which has no operations: everything below an endpoint belongs to
 * it. Gateway and mcp judge by the same function.
 */
export const mcpRouteOf = (url: string): string =>
  url.startsWith("/mcp/") ? "/mcp/v1/:project" : "/.well-known/oauth-protected-resource";
