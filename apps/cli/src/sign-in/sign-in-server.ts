import { isJsonObject } from "@ikg/contracts/values";
import { failureText } from "../connection/failure-text.ts";
import { CommandFault } from "../command-environment.ts";

/** The identity provider of the administrators of a deployment. */
export interface SignInServer {
  readonly issuer: string;
  readonly clientId: string;
  /** Audience of the access token. */
  readonly audience: string;
  readonly scope: string;
  /** Authentication contexts (`acr`) of which the token needs one; empty where each is accepted. */
  readonly acrValues: readonly string[];
  /** Seconds since the sign-in at most; undefined where each age is accepted. */
  readonly maxAge: number | undefined;
  readonly tokenEndpoint: string;
  /** Undefined if the provider has no device flow (RFC 8628). */
  readonly deviceEndpoint: string | undefined;
  readonly authorizationEndpoint: string | undefined;
}

const withinMs = 10_000;

const readJson = async (url: string): Promise<Readonly<Record<string, unknown>> | undefined> => {
  let answer: Response;
  try {
    answer = await fetch(url, { redirect: "error", signal: AbortSignal.timeout(withinMs) });
  } catch (error) {
    throw new CommandFault(`${url} cannot be reached: ${failureText(error)}`);
  }
  if (answer.status === 404) return undefined;
  const content: unknown = await answer.json().catch(() => undefined);
  if (answer.status !== 200 || !isJsonObject(content))
    throw new CommandFault(`${url} responds with ${answer.status} instead of the expected document`);
  return content;
};

/** The metadata URL of a protected resource: the well-known suffix is between host and path (RFC 9728, section 3.1). */
const metadataUrl = (resource: string): string => {
  const { origin, pathname } = new URL(resource);
  return `${origin}/.well-known/oauth-protected-resource${pathname}`;
};

const textIn = (document: Readonly<Record<string, unknown>>, name: string): string | undefined => {
  const value = document[name];
  return typeof value === "string" && value !== "" ? value : undefined;
};

/** The strings of a list; none if there is no list. */
const textsIn = (document: Readonly<Record<string, unknown>>, name: string): readonly string[] => {
  const value = document[name];
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  return list.filter((each) => typeof each === "string");
};

/** Requires TLS, because tokens could be intercepted otherwise, unless the deployment itself has none. */
const requireAddress = (address: string, deployment: string): string => {
  const isSafe = address.startsWith("https://") || deployment.startsWith("http://");
  if (URL.canParse(address) && isSafe) return address;
  throw new CommandFault(`${address} is not an https address, which is required for signing in`);
};

/**
 * Discovers the identity provider: the deployment publishes issuer, client, audience and the required strength of sign-ins
 * (RFC 9728), and the issuer its endpoints (OpenID Connect Discovery 1.0).
 *
 * @throws CommandFault for a deployment without an identity provider, or inconsistent documents.
 */
export const findSignInServer = async (deployment: string): Promise<SignInServer> => {
  const resource = `${deployment.replace(/\/+$/, "")}/configs/v1`;
  const metadata = await readJson(metadataUrl(resource));
  if (metadata === undefined)
    throw new CommandFault(
      `${deployment} has no identity provider for signing in: ask its operator to set OIDC_ISSUER, or for the token of a service account`,
    );
  if (metadata["resource"] !== resource)
    throw new CommandFault(
      `the address ${deployment} does not match ${String(metadata["resource"])}: sign in under the address of PUBLIC_URL`,
    );
  const [issuer] = Array.isArray(metadata["authorization_servers"]) ? metadata["authorization_servers"] : [];
  const [clientId, audience] = [textIn(metadata, "client_id"), textIn(metadata, "audience")];
  if (typeof issuer !== "string" || clientId === undefined || audience === undefined)
    throw new CommandFault(`${deployment} does not publish a complete sign-in configuration`);
  requireAddress(issuer, deployment);
  const configuration = await readJson(`${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`);
  const tokenEndpoint = configuration && textIn(configuration, "token_endpoint");
  if (configuration?.["issuer"] !== issuer || tokenEndpoint === undefined)
    throw new CommandFault(`${issuer} has no valid discovery document`);
  const endpoint = (name: string): string | undefined => {
    const address = textIn(configuration, name);
    return address === undefined ? undefined : requireAddress(address, deployment);
  };
  const { max_age: maxAge } = metadata;
  const scopes = Array.isArray(metadata["scopes_supported"]) ? metadata["scopes_supported"] : ["openid"];
  return {
    issuer,
    clientId,
    audience,
    scope: scopes.join(" "),
    acrValues: textsIn(metadata, "acr_values"),
    maxAge: typeof maxAge === "number" ? maxAge : undefined,
    tokenEndpoint: requireAddress(tokenEndpoint, deployment),
    deviceEndpoint: endpoint("device_authorization_endpoint"),
    authorizationEndpoint: endpoint("authorization_endpoint"),
  };
};

/**
 * Request parameters for the audience. Resource indicators (RFC 8707) must be addresses; some providers use the parameter `audience`
 * instead, and others derive the audience from the scopes.
 */
export const audienceParameters = (audience: string): Readonly<Record<string, string>> =>
  /^https?:\/\//.test(audience) ? { resource: audience, audience } : {};

/**
 * Request parameters for the required strength and age of a sign-in (OpenID Connect Core 1.0, section 3.1.2.1; RFC 9470). A provider
 * ignores parameters that it does not know (RFC 6749, section 3.1; RFC 8628, section 3.1).
 */
export const strengthParameters = ({
  acrValues,
  maxAge,
}: Pick<SignInServer, "acrValues" | "maxAge">): Readonly<Record<string, string>> => {
  const parameters: Record<string, string> = {};
  if (acrValues.length > 0) parameters["acr_values"] = acrValues.join(" ");
  if (maxAge !== undefined) parameters["max_age"] = String(maxAge);
  return parameters;
};
