import type { IncomingMessage } from "node:http";
import { type InternalContext, internalContextHeader, verifyInternalContext } from "@ikg/auth";
import type { ServiceName } from "@ikg/contracts";
import type { Logger } from "./log.ts";
import type { BaseSettings } from "./settings.ts";

/** Time between two log lines about contexts that do not verify. */
const reportMs = 10_000;

/**
 * What the gateway states about a request.
 *
 * @throws Problem `internal_context_invalid` (503)
 */
export type ContextOf = (request: Pick<IncomingMessage, "headers">) => Promise<InternalContext>;

/** Verifies internal contexts, and logs those that do not verify: deployments cause that, not callers. */
export const openInternalContexts = (
  name: ServiceName,
  settings: Pick<BaseSettings, "INTERNAL_CONTEXT_KEY" | "INTERNAL_CONTEXT_FORMER_KEYS">,
  log: Pick<Logger, "error">,
  now: () => number = Date.now,
): ContextOf => {
  const verify = verifyInternalContext(
    settings.INTERNAL_CONTEXT_KEY,
    name,
    settings.INTERNAL_CONTEXT_FORMER_KEYS,
    now,
  );
  let refused = 0;
  let nextReport = 0;
  const report = (error: unknown): void => {
    refused++;
    if (now() < nextReport) return;
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : "";
    log.error(
      "internal contexts do not verify; do gateway, mcp and this service have the same INTERNAL_CONTEXT_KEY, or the other's among INTERNAL_CONTEXT_FORMER_KEYS, and the same time?",
      { cause, refused },
    );
    refused = 0;
    nextReport = now() + reportMs;
  };
  return async ({ headers }) => {
    const text = headers[internalContextHeader];
    try {
      return await verify(typeof text === "string" ? text : undefined);
    } catch (error) {
      report(error);
      throw error;
    }
  };
};
