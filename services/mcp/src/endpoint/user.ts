import type { IncomingMessage } from "node:http";
import { bearerOf, type Introspection, type Judged, type Token } from "@ikg/auth";
import { Problem } from "@ikg/contracts";
import { requestInvalid, tokenMissing, tokenRefused } from "./challenge.ts";
import type { McpEndpoint } from "./mcp-endpoint.ts";

/** Who calls: the bearer of a request, judged by the configuration that the MCP server is bound to, and by no other. */
export const userOf = async (
  request: Pick<IncomingMessage, "rawHeaders">,
  endpoint: McpEndpoint,
  introspection: Introspection,
  judged: Judged,
): Promise<Token> => {
  try {
    const bearer = bearerOf(request.rawHeaders);
    if (bearer === undefined) throw tokenMissing(endpoint);
    const { project } = endpoint.view;
    return await introspection.introspect(
      bearer,
      { project, introspects: [endpoint.server.introspect] },
      Date.now(),
      judged,
    );
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (error.code === "malformed_bearer") throw requestInvalid(endpoint, error.errors);
    if (error.code === "bearer_invalid") throw tokenRefused(endpoint, error.message);
    throw error;
  }
};
