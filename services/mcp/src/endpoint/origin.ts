import type { IncomingHttpHeaders, ServerResponse } from "node:http";

/** Which web pages may call, and under which names this service may be called. */
export interface Origins {
  /** True when the request may continue; then a page that called may read the answer. */
  admit(headers: IncomingHttpHeaders, response: ServerResponse): boolean;
}

const loopback = new Set(["localhost", "127.0.0.1", "[::1]"]);

const urlOf = (text: string): URL | undefined => {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
};

const allowedRequestHeaders = [
  "Authorization",
  "Content-Type",
  "Accept",
  "MCP-Protocol-Version",
  "Mcp-Session-Id",
  "Mcp-Method",
  "Mcp-Name",
  "Last-Event-ID",
  "X-Request-ID",
].join(", ");

const grant = (origin: string, response: ServerResponse): void => {
  response.setHeader("Access-Control-Allow-Origin", origin);
  response.appendHeader("Vary", "Origin");
  response.setHeader(
    "Access-Control-Expose-Headers",
    "Mcp-Session-Id, WWW-Authenticate, MCP-Protocol-Version",
  );
  response.setHeader("Access-Control-Allow-Methods", "GET, POST, DELETE, OPTIONS");
  response.setHeader("Access-Control-Allow-Headers", allowedRequestHeaders);
  response.setHeader("Access-Control-Max-Age", "600");
};

/**
 * @param allowed origins or host names besides the loopback ones.
 * @param host what this process listens on: on a loopback address only loopback names and the public one reach it, so
 *   that no page can call it under a name of its own (DNS rebinding).
 */
export const openOrigins = (allowed: readonly string[], host: string, publicUrl: string): Origins => {
  const allowedOrigins = new Set(allowed.map((text) => urlOf(text)?.origin ?? text.toLowerCase()));
  const isOnLoopback = loopback.has(host) || host === "::1";
  const ownHosts = new Set([...loopback, new URL(publicUrl).hostname]);
  const mayCall = (origin: string): boolean => {
    const url = urlOf(origin);
    if (url === undefined || !/^https?:$/.test(url.protocol) || url.origin !== origin.toLowerCase())
      return false;
    return loopback.has(url.hostname) || allowedOrigins.has(url.origin) || allowedOrigins.has(url.hostname);
  };
  const isOwnHost = (name: string | undefined): boolean =>
    name !== undefined && ownHosts.has(urlOf(`http://${name}`)?.hostname ?? "");
  return {
    admit: (headers, response) => {
      if (isOnLoopback && !isOwnHost(headers.host)) return false;
      const { origin } = headers;
      if (origin === undefined) return true;
      if (!mayCall(origin)) return false;
      grant(origin, response);
      return true;
    },
  };
};
