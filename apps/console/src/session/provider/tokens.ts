import { isObject } from "../../text/json.ts";
import type { IdentityProvider } from "./read-provider.ts";

/** What a sign-in at the provider gives; it stays in memory. */
export interface ProviderTokens {
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
  /** Milliseconds until it expires; undefined where the provider does not say. */
  readonly lifeMs: number | undefined;
}

/**
 * How the audience is sent to a provider: resource indicators (RFC 8707) are addresses; some providers know a parameter
 * `audience` instead, and others take what the scopes say.
 */
export const audienceParameters = ({ audience }: IdentityProvider): Readonly<Record<string, string>> =>
  /^https?:\/\//.test(audience) ? { resource: audience, audience } : {};

/**
 * Parameters of an authorization request for the required strength and age of a sign-in (OpenID Connect Core 1.0, section 3.1.2.1;
 * RFC 9470).
 */
export const strengthParameters = ({
  acrValues,
  maxAge,
}: Pick<IdentityProvider, "acrValues" | "maxAge">): Readonly<Record<string, string>> => {
  const parameters: Record<string, string> = {};
  if (acrValues.length > 0) parameters["acr_values"] = acrValues.join(" ");
  if (maxAge !== undefined) parameters["max_age"] = String(maxAge);
  return parameters;
};

/**
 * Asks the token endpoint (RFC 6749, section 4.1.3 or 6).
 *
 * @throws Error saying what the provider refuses, the reason of the signal.
 */
export const requestTokens = async (
  provider: IdentityProvider,
  form: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<ProviderTokens> => {
  const response = await fetch(provider.tokenEndpoint, {
    method: "POST",
    headers: { Accept: "application/json" },
    body: new URLSearchParams({ client_id: provider.clientId, ...form, ...audienceParameters(provider) }),
    redirect: "error",
    credentials: "omit",
    ...(signal !== undefined && { signal }),
  });
  const json: unknown = await response.json().catch(() => undefined);
  signal?.throwIfAborted();
  const body = isObject(json) ? json : {};
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: seconds } = body;
  if (!response.ok || typeof accessToken !== "string") {
    const reason = body["error_description"] ?? body["error"];
    throw new Error(
      `The identity provider issued no token: ${typeof reason === "string" ? reason : response.status}`,
    );
  }
  return {
    accessToken,
    refreshToken: typeof refreshToken === "string" ? refreshToken : undefined,
    lifeMs: typeof seconds === "number" ? seconds * 1_000 : undefined,
  };
};
