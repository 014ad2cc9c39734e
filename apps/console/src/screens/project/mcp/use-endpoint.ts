import { useQuery } from "@tanstack/react-query";
import { isObject, textOf } from "../../../text/json.ts";
import { baseUrl } from "../../../session/base-url.ts";

interface Endpoint {
  readonly address: string;
  readonly isAvailable: boolean;
}

/**
 * The address of the project's MCP endpoint, as its public metadata (RFC 9728) states it: the deployment may have
 * another one than that of this page. A disabled endpoint has no metadata.
 */
export const useEndpoint = (projectId: string) =>
  useQuery({
    queryKey: ["mcp-endpoint", projectId],
    queryFn: async ({ signal }): Promise<Endpoint> => {
      const path = `/mcp/v1/${projectId}`;
      const response = await fetch(`${baseUrl()}/.well-known/oauth-protected-resource${path}`, {
        signal,
        credentials: "omit",
      });
      const body: unknown = await response.json().catch(() => undefined);
      const resource = isObject(body) ? textOf(body["resource"]) : "";
      const isAvailable = response.ok && resource !== "";
      return { address: isAvailable ? resource : `${baseUrl()}${path}`, isAvailable };
    },
  });
