import { exchangeOf } from "@ikg/service";
import type { RequestHandler } from "express";
import type { AnonymousLimit } from "./anonymous-limit.ts";
import { openRequestHeaders } from "./headers.ts";
import { openPath } from "./open-path.ts";
import { type GuardedUpstream, proxyRequest } from "./proxy-request.ts";

/**
 * Passes on the question for the public keys of a chain: whoever verifies records needs no credential for it.
 */
export const auditKeys = (upstream: GuardedUpstream, limit: AnonymousLimit): RequestHandler =>
  openPath("/audit/.well-known/jwks.json", "audit_keys", limit, (request, response) => {
    const headers = openRequestHeaders(request, exchangeOf(response));
    return proxyRequest(upstream, { method: "get", writes: false }, request, headers, response);
  });
