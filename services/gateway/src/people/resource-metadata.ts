import { respond } from "@ikg/service";
import type { RequestHandler } from "express";
import type { AnonymousLimit } from "../anonymous-limit.ts";
import { publicPath } from "../public-path.ts";
import type { PeopleIssuer, SignInSettings } from "./settings.ts";

/** Where a client finds how people sign in to administer (RFC 9728, section 3.1). */
const resourceMetadataPath = (base: string): string => {
  const { pathname } = new URL(base);
  return `/.well-known/oauth-protected-resource${pathname === "/" ? "" : pathname}/configs/v1`;
};

/**
 * The metadata of the configuration as a protected resource (RFC 9728). Members of the suite are `client_id` and `audience`, the
 * public client that signs people in and what their access tokens are to be issued for, and where they are demanded `acr_values`,
 * of which a sign-in needs one, and `max_age`, its age in seconds (OpenID Connect Core 1.0, section 3.1.2.1).
 */
export const resourceMetadata = (
  base: string,
  { issuer, audience, clientId }: PeopleIssuer,
  { OIDC_SCOPES: scopes, OIDC_ACR_VALUES: acrValues, OIDC_MAX_AGE_SECONDS: maxAge }: SignInSettings,
  limit: AnonymousLimit,
): RequestHandler => {
  const document = {
    resource: `${base}/configs/v1`,
    authorization_servers: [issuer],
    bearer_methods_supported: ["header"],
    scopes_supported: scopes.split(" "),
    client_id: clientId,
    audience,
    ...(acrValues.length === 0 ? {} : { acr_values: acrValues }),
    ...(maxAge === 0 ? {} : { max_age: maxAge }),
  };
  return publicPath(resourceMetadataPath(base), "sign_in_metadata", limit, (_request, response) =>
    respond(response, 200, document, { "Cache-Control": "max-age=300" }),
  );
};
