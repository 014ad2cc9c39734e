import { type Egress, EgressError, type JsonObject } from "@ikg/egress";
import { bearerRefused } from "./challenge.ts";
import { claimsOf } from "./issuer-response.ts";
import type { IntrospectionConfig, OnlineValidation } from "./types.ts";

type Endpoint = NonNullable<OnlineValidation["introspection"]>;

/** Form-encodes a client id or secret, as HTTP Basic authentication requires (RFC 6749, section 2.3.1). */
const formText = (text: string): string => new URLSearchParams([["", text]]).toString().slice(1);

const basic = ({ clientId, clientSecret }: Endpoint): string =>
  `Basic ${Buffer.from(`${formText(clientId)}:${formText(clientSecret)}`).toString("base64")}`;

/**
 * Introspects a token at its authorization server (RFC 7662).
 *
 * @returns the members of the response, without `active`.
 * @throws Problem `bearer_invalid` for a token that is not active; EgressError when the issuer's response is unusable, which
 *   includes the refusal of the client's own credentials.
 */
export const requestIntrospection = async (
  egress: Egress,
  endpoint: Endpoint,
  bearer: string,
  signal: AbortSignal,
): Promise<JsonObject> => {
  const response = await egress.request(endpoint.endpoint, {
    signal,
    method: "POST",
    headers: {
      Accept: "application/json",
      Authorization: basic(endpoint),
      "Content-Type": "application/x-www-form-urlencoded",
    },
    body: new URLSearchParams({ token: bearer, token_type_hint: "access_token" }).toString(),
  });
  if (response.status !== 200) throw new EgressError("upstream_status", undefined, response.status);
  const { active, ...members } = claimsOf(response);
  if (active !== true) throw bearerRefused("not active");
  return members;
};

/**
 * Checks the issuer, the audience and the times in the server's response, as far as it has them.
 *
 * @param now milliseconds.
 * @throws Problem `bearer_invalid`.
 */
export const checkMembers = (
  members: JsonObject,
  { jwtMatcher }: IntrospectionConfig,
  now: number,
  skewSeconds: number,
): void => {
  const { iss, aud, exp, nbf } = members;
  if (jwtMatcher !== undefined) {
    if (iss !== undefined && iss !== jwtMatcher.issuer)
      throw bearerRefused("iss does not match the configuration");
    if (aud !== undefined && ![aud].flat().includes(jwtMatcher.audience))
      throw bearerRefused("aud does not match the configuration");
  }
  const seconds = now / 1000;
  if (exp !== undefined && !(typeof exp === "number" && seconds < exp + skewSeconds))
    throw bearerRefused("expired");
  if (nbf !== undefined && !(typeof nbf === "number" && seconds >= nbf - skewSeconds))
    throw bearerRefused("not yet valid");
};
