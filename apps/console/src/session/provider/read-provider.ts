import { isObject, type Members } from "../../text/json.ts";
import { baseUrl } from "../base-url.ts";

/** Where people sign in. */
export interface IdentityProvider {
  readonly issuer: string;
  readonly clientId: string;
  /** What access tokens are to be issued for. */
  readonly audience: string;
  readonly scope: string;
  /** Authentication contexts (`acr`) of which the token needs one; empty where each is accepted. */
  readonly acrValues: readonly string[];
  /** Seconds since the sign-in at most; undefined where each age is accepted. */
  readonly maxAge: number | undefined;
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
}

/** @returns undefined for a deployment that has no such document. */
const readDocument = async (url: string): Promise<Members | undefined> => {
  const response = await fetch(url, { redirect: "error", credentials: "omit" });
  if (response.status === 404) return undefined;
  const document: unknown = await response.json().catch(() => undefined);
  if (!response.ok || !isObject(document))
    throw new Error(`${url} returned status ${response.status} and not the expected JSON document.`);
  return document;
};

const textIn = (document: Members, name: string): string => {
  const value = document[name];
  if (typeof value !== "string" || value === "")
    throw new Error(`The identity provider's metadata has no ${name}.`);
  return value;
};

/** The texts of a list; none where there is no list. */
const textsIn = (document: Members, name: string): readonly string[] => {
  const value = document[name];
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  return list.filter((each) => typeof each === "string");
};

/** Without TLS a token can be read on its way: allowed only where this page itself has none. */
const addressIn = (document: Members, name: string): string => {
  const address = textIn(document, name);
  const isSafe = address.startsWith("https://") || location.protocol === "http:";
  if (!URL.canParse(address) || !isSafe)
    throw new Error(`${address} is not an https address, which signing in requires.`);
  return address;
};

/** The well-known name stands between host and path (RFC 9728, section 3.1). */
const metadataUrl = (): string => {
  const { origin, pathname } = new URL(`${baseUrl()}/configs/v1`);
  return `${origin}/.well-known/oauth-protected-resource${pathname}`;
};

/**
 * Finds how people sign in: the deployment names issuer, client, audience and the required strength of sign-ins (RFC 9728), the
 * issuer its endpoints (OpenID Connect Discovery 1.0).
 *
 * @returns null where only service accounts administer.
 */
export const readProvider = async (): Promise<IdentityProvider | null> => {
  const metadata = await readDocument(metadataUrl());
  if (metadata === undefined) return null;
  const [issuer] = Array.isArray(metadata["authorization_servers"]) ? metadata["authorization_servers"] : [];
  if (typeof issuer !== "string") throw new Error("The deployment's metadata names no authorization server.");
  const configuration = await readDocument(`${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`);
  if (configuration === undefined) throw new Error(`The issuer ${issuer} has no discovery document.`);
  if (configuration["issuer"] !== issuer)
    throw new Error(`The discovery document of ${issuer} names another issuer.`);
  const { max_age: maxAge } = metadata;
  const scopes = Array.isArray(metadata["scopes_supported"]) ? metadata["scopes_supported"] : ["openid"];
  return {
    issuer,
    clientId: textIn(metadata, "client_id"),
    audience: textIn(metadata, "audience"),
    scope: scopes.join(" "),
    acrValues: textsIn(metadata, "acr_values"),
    maxAge: typeof maxAge === "number" ? maxAge : undefined,
    authorizationEndpoint: addressIn(configuration, "authorization_endpoint"),
    tokenEndpoint: addressIn(configuration, "token_endpoint"),
  };
};
