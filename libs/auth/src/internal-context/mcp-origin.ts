import type { KeyObject } from "node:crypto";
import type { Caller } from "@ikg/contracts";
import { bearerOf } from "../bearer.ts";
import type { HeaderList } from "../header-list.ts";
import { digestOf } from "../introspection/choose-config.ts";
import type { Endpoint, McpOrigin } from "./context.ts";
import { isForUser } from "./mcp-calls.ts";
import { mcpProjectOf, mcpRouteOf } from "./mcp-routes.ts";
import { contextInvalid, verifyInternalContext } from "./verify-context.ts";

/** Where clients call tools. */
const toolCall: Endpoint = { method: "POST", route: mcpRouteOf("/mcp/") };

/** The bearer; undefined for none, and for what mcp refuses as malformed. */
const wellFormedBearer = (rawHeaders: Readonly<HeaderList>): string | undefined => {
  try {
    return bearerOf(rawHeaders);
  } catch {
    return undefined;
  }
};

/** What the gateway sends to mcp with a request to the endpoint of a project; undefined without a bearer. */
export const mcpOriginOf = (url: string, rawHeaders: Readonly<HeaderList>): McpOrigin | undefined => {
  const project = mcpProjectOf(url);
  const bearer = project === undefined ? undefined : wellFormedBearer(rawHeaders);
  return project === undefined || bearer === undefined ? undefined : { project, bearer: digestOf(bearer) };
};

/**
 * Verifies that a client came to the MCP endpoint of the caller's project with the bearer that a call of mcp carries, and
 * did so within the last minute: the gateway says so, and mcp cannot. Other callers have no origin.
 *
 * @param gateway public keys of the gateway.
 * @throws Problem `internal_context_invalid` (503)
 */
export const verifyMcpOrigin = (gateway: readonly KeyObject[], now?: () => number) => {
  const verify = verifyInternalContext({ gateway, mcp: [] }, "mcp", now);
  return async (
    caller: Caller | undefined,
    text: string | undefined,
    rawHeaders: Readonly<HeaderList>,
  ): Promise<void> => {
    if (caller?.kind !== "agent" || !isForUser(caller)) return;
    const { origin } = await verify(text, toolCall);
    const bearer = wellFormedBearer(rawHeaders);
    if (origin === undefined || bearer === undefined || origin.bearer !== digestOf(bearer))
      throw contextInvalid(new Error("not the bearer that came to mcp"));
    if (origin.project !== caller.project)
      throw contextInvalid(new Error("not the project whose mcp endpoint was called"));
  };
};
