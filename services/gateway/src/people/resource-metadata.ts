import { respond } from "@ikg/service";
import type { RequestHandler } from "express";
import type { AnonymousLimit } from "../anonymous-limit.ts";
import { publicPath } from "../public-path.ts";
import type { PeopleIssuer } from "./settings.ts";

/** Where a client finds how people sign in to administer (RFC 9728, section 3.1). */
const resourceMetadataPath = (base: string): string => {
  const { pathname } = new URL(base);
  return `/.well-known/oauth-protected-resource${pathname === "/" ? "" : pathname}/configs/v1`;
};

/**
 * The metadata of the configuration as a protected resource (RFC 9728). `client_id` and `audience` are members of the suite: the
 * public client that signs people in, and what their access tokens are to be issued for.
 */
export const resourceMetadata = (
  base: string,
  { issuer, audience, clientId }: PeopleIssuer,
  scopes: string,
  limit: AnonymousLimit,
): RequestHandler => {
  const document = {
    resource: `${base}/configs/v1`,
    authorization_servers: [issuer],
    bearer_methods_supported: ["header"],
    scopes_supported: scopes.split(" "),
    client_id: clientId,
    audience,
  };
  return publicPath(resourceMetadataPath(base), "sign_in_metadata", limit, (_request, response) =>
    respond(response, 200, document, { "Cache-Control": "max-age=300" }),
  );
};
