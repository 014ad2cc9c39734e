/**
 * The route of a path that the gateway forwards to mcp, which has no operations: everything below an endpoint belongs to
 * it. Gateway and mcp use the same function.
 */
export const mcpRouteOf = (url: string): string =>
  url.startsWith("/mcp/") ? "/mcp/v1/:project" : "/.well-known/oauth-protected-resource";

/** The project whose endpoint a path names; undefined for the path of a document, and for one that does not decode. */
export const mcpProjectOf = (url: string): string | undefined => {
  const [, segment] = /^\/mcp\/v1\/([^/?#]+)\/?(?:\?|$)/.exec(url) ?? [];
  try {
    return segment === undefined ? undefined : decodeURIComponent(segment);
  } catch {
    return undefined;
  }
};
