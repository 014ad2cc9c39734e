import { type Egress, EgressError, type JsonObject } from "@ikg/egress";
import { bearerRefused } from "./challenge.ts";
import { claimsOf } from "./issuer-response.ts";

/**
 * Requests the claims of a token's bearer from its issuer (OpenID Connect Core 1.0, section 5.3).
 *
 * @throws Problem `bearer_invalid` when the issuer refuses the token; EgressError when the issuer's response is unusable.
 */
export const requestUserinfo = async (
  egress: Egress,
  endpoint: string,
  bearer: string,
  signal: AbortSignal,
): Promise<JsonObject> => {
  const response = await egress.request(endpoint, {
    signal,
    headers: { Accept: "application/json", Authorization: `Bearer ${bearer}` },
  });
  if (response.status === 401 || response.status === 403) throw bearerRefused("refused by its issuer");
  if (response.status !== 200) throw new EgressError("upstream_status", undefined, response.status);
  return claimsOf(response);
};
