import { requestContextOf } from "@ikg/service";
import type { RequestHandler } from "express";
import type { AnonymousLimit } from "./anonymous-limit.ts";
import { publicRequestHeaders } from "./headers.ts";
import { publicPath } from "./public-path.ts";
import { forwardRequest, type GuardedUpstream } from "./upstream/forward-request.ts";

/** Forwards requests for the public keys of a chain: verifying its records needs no credential. */
export const auditKeys = (upstream: GuardedUpstream, limit: AnonymousLimit): RequestHandler =>
  publicPath("/audit/.well-known/jwks.json", "audit_keys", limit, (request, response) => {
    const headers = publicRequestHeaders(request, [], requestContextOf(response));
    return forwardRequest(upstream, { method: "get", writes: false }, request, headers, response);
  });
