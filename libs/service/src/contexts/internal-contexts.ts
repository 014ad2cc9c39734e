import type { IncomingMessage } from "node:http";
import {
  contextInvalid,
  type Endpoint,
  formerContextHeader,
  type InternalContext,
  internalContextHeader,
  mcpOriginHeader,
  verifyFormerContext,
  verifyInternalContext,
  verifyMcpOrigin,
} from "@ikg/auth";
import type { ServiceName } from "@ikg/contracts";
import { singleHeader } from "../http/header-value.ts";
import type { ContextSettings } from "./context-settings.ts";
import type { Logger } from "../logs/log.ts";
import { repeatedReport } from "../logs/repeated-report.ts";

type Headers = Pick<IncomingMessage, "headers" | "rawHeaders">;

/**
 * What the gateway, or mcp for its own calls, states about a request for an endpoint.
 *
 * @throws Problem `internal_context_invalid` (503)
 */
export type ContextOf = (request: Headers, endpoint: Endpoint) => Promise<InternalContext>;

const openVerification = (name: ServiceName, settings: ContextSettings, now: () => number): ContextOf => {
  const { GATEWAY_PUBLIC_KEYS: gateway = [], MCP_PUBLIC_KEYS: mcp = [], INTERNAL_CONTEXT_KEY } = settings;
  const verify = verifyInternalContext({ gateway, mcp }, name, now);
  const verifyOrigin = verifyMcpOrigin(gateway, now);
  const verifyFormer =
    INTERNAL_CONTEXT_KEY === undefined ? undefined : verifyFormerContext(INTERNAL_CONTEXT_KEY, name, now);
  /** Undefined where the request has no context of a release before 0.2, or none is accepted. */
  const verifiedFormer = (request: Headers): Promise<InternalContext> | undefined => {
    const text = singleHeader(request.headers[formerContextHeader]);
    return text === undefined
      ? undefined
      : verifyFormer?.(text).catch((cause: unknown) => {
          throw contextInvalid(cause);
        });
  };
  return async (request, endpoint) => {
    const text = singleHeader(request.headers[internalContextHeader]);
    const former = text === undefined ? await verifiedFormer(request) : undefined;
    if (former !== undefined) return former;
    const context = await verify(text, endpoint);
    const origin = singleHeader(request.headers[mcpOriginHeader]);
    // A gateway of a release before 0.2 gives mcp no origin.
    const withoutOrigin = origin === "" ? await verifiedFormer(request) : undefined;
    if (withoutOrigin !== undefined) return withoutOrigin;
    await verifyOrigin(context.caller, origin, request.rawHeaders);
    return context;
  };
};

/** Verifies internal contexts, and logs those that do not verify: deployments cause that, not callers. */
export const openInternalContexts = (
  name: ServiceName,
  settings: ContextSettings,
  log: Pick<Logger, "error">,
  now: () => number = Date.now,
): ContextOf => {
  const verify = openVerification(name, settings, now);
  const report = repeatedReport(now);
  return async (request, endpoint) => {
    try {
      return await verify(request, endpoint);
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : "";
      report((refused) =>
        log.error(
          "internal contexts do not verify; check that GATEWAY_PUBLIC_KEYS and MCP_PUBLIC_KEYS of this service belong to the GATEWAY_SIGNING_KEY of the gateway and the MCP_SIGNING_KEY of mcp, and that all clocks agree",
          { cause, refused },
        ),
      );
      throw error;
    }
  };
};
