import type { IncomingMessage } from "node:http";
import { bearerOf, type Introspection, type OnIntrospected, type Token } from "@ikg/auth";
import { Problem } from "@ikg/contracts";
import { requestInvalid, tokenMissing, tokenRefused } from "./challenge.ts";
import type { McpEndpoint } from "./mcp-endpoint.ts";

/** The user of a request: its bearer token, introspected by the configuration of the MCP server and by no other. */
export const userOf = async (
  request: Pick<IncomingMessage, "rawHeaders">,
  endpoint: McpEndpoint,
  introspection: Introspection,
  onIntrospected: OnIntrospected,
): Promise<Token> => {
  try {
    const bearer = bearerOf(request.rawHeaders);
    if (bearer === undefined) throw tokenMissing(endpoint);
    const { project } = endpoint.view;
    const { introspect } = endpoint.server;
    // A database that is not claimed for the project may belong to another one, so no node is written there.
    const performUpsert = introspect.performUpsert && project.ikgStatus === "ACTIVE";
    return await introspection.introspect(
      bearer,
      { project, introspects: [{ ...introspect, performUpsert }] },
      Date.now(),
      onIntrospected,
    );
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (error.code === "malformed_bearer") throw requestInvalid(endpoint, error.errors);
    if (error.code === "bearer_invalid") throw tokenRefused(endpoint, error.message);
    throw error;
  }
};
