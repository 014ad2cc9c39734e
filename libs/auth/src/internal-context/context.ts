import { Caller, type ServiceName } from "@ikg/contracts";
import { z } from "zod";

/** Header with the signed context of a call. Removed from every request that comes from outside. */
export const internalContextHeader = "x-internal-call";

/**
 * The context that the gateway gave mcp for the request behind a call, which mcp hands on: it shows that a client came with
 * the bearer that the call carries. Removed from what comes from outside as well.
 */
export const mcpOriginHeader = "x-internal-origin";

/** What a client presented to the endpoint of a project's MCP server. */
export const McpOrigin = z.object({
  project: z.string(),
  /** SHA-256 of the bearer, in hexadecimal digits. */
  bearer: z.string(),
});

export type McpOrigin = z.output<typeof McpOrigin>;

/** What the gateway, or mcp for its own calls, states about a request. */
export interface InternalContext {
  /** Undefined for a request to a path that needs no key. */
  readonly caller: Caller | undefined;
  /** Address that called the gateway. */
  readonly address: string | undefined;
  /** The alias of the path by which the caller came; undefined for the product's own path. */
  readonly alias: string | undefined;
  /** Of a request to mcp that carries a bearer. */
  readonly origin?: McpOrigin | undefined;
}

/** The endpoint that a call is for; a context for it is of no use at another one. */
export interface Endpoint {
  /** In capitals; a HEAD is for the endpoint of GET. */
  readonly method: string;
  /** The path with its parameters by name, as the operation states it. */
  readonly route: string;
}

/** One endpoint of one service. */
export interface CallTarget extends Endpoint {
  readonly service: ServiceName;
}

export const lifetimeSeconds = 60;
/** Ed25519 (RFC 8037, RFC 9864). */
export const algorithm = "Ed25519";

/** Who signs. */
export const contextIssuers = { gateway: "ikg-gateway", mcp: "ikg-mcp" } as const;

export type ContextIssuer = keyof typeof contextIssuers;

/** What a context says besides its issuer, its audience and its time (RFC 7519). */
export const ContextClaims = z.object({
  method: z.string(),
  route: z.string(),
  caller: Caller.optional(),
  client_address: z.string().optional(),
  path_alias: z.string().optional(),
  mcp_origin: McpOrigin.optional(),
});
