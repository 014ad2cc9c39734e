import { generateKeyPairSync, type JsonWebKey, type KeyObject, randomUUID } from "node:crypto";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { type Configuration, Provider, type SigningAlgorithm } from "oidc-provider";

export const algorithms = ["RS256", "PS256", "ES256", "EdDSA"] as const;
export type Algorithm = (typeof algorithms)[number];

/** The resource server's own credentials at the provider, for introspection; both need escaping in a form. */
export const introspector = { clientId: "ikg: api", clientSecret: "s3cret & more: 100% +/" };

const redirectUri = "https://client.example/callback";
const clientSecret = "a secret of the client that is long enough";

interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly jwk: JsonWebKey & { readonly kid: string };
}

const newKey = (kty: "rsa" | "ec" | "ed25519"): SigningKey => {
  const { privateKey, publicKey } =
    kty === "rsa"
      ? generateKeyPairSync("rsa", { modulusLength: 2048 })
      : kty === "ec"
        ? generateKeyPairSync("ec", { namedCurve: "P-256" })
        : generateKeyPairSync("ed25519");
  const kid = `${kty}-${randomUUID()}`;
  return { kid, privateKey, publicKey, jwk: { ...privateKey.export({ format: "jwk" }), kid, use: "sig" } };
};

/** A client whose ID tokens, the bearer tokens of these tests, are signed by `algorithm`. */
const clientOf = (algorithm: Algorithm) => ({
  client_id: `app-${algorithm}`,
  client_secret: clientSecret,
  redirect_uris: [redirectUri],
  grant_types: ["authorization_code"],
  response_types: ["code" as const],
  id_token_signed_response_alg: algorithm as SigningAlgorithm,
  require_auth_time: true,
});

const configurationOf = (keys: readonly SigningKey[]): Configuration => ({
  jwks: { keys: keys.map(({ jwk }) => jwk) },
  clients: [
    ...algorithms.map(clientOf),
    {
      client_id: introspector.clientId,
      client_secret: introspector.clientSecret,
      redirect_uris: [],
      response_types: [],
      grant_types: [],
    },
  ],
  clientAuthMethods: ["client_secret_basic"],
  enabledJWA: { idTokenSigningAlgValues: [...algorithms] as SigningAlgorithm[] },
  pkce: { required: () => false },
  conformIdTokenClaims: false,
  claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name", "role"] },
  cookies: { keys: ["of no use here"] },
  ttl: { AccessToken: 300, AuthorizationCode: 60, Grant: 600, IdToken: 300 },
  features: {
    devInteractions: { enabled: false },
    introspection: { enabled: true, allowedPolicy: () => true },
    revocation: { enabled: true, allowedPolicy: () => true },
  },
  findAccount: (_context, id) => ({
    accountId: id,
    claims: () => ({ sub: id, email: `${id}@example.com`, email_verified: true, name: id, role: "nurse" }),
  }),
});

/** A running OpenID provider on this machine. */
export interface IdentityProvider {
  readonly issuer: string;
  /** Requests since the last call, as `METHOD path`. */
  takeRequests(): string[];
  /** Tokens for a sign-in of `account`; the access token is opaque. */
  signIn(account: string, algorithm?: Algorithm): Promise<{ idToken: string; accessToken: string }>;
  revoke(accessToken: string, algorithm?: Algorithm): Promise<void>;
  /** Signs with new keys from now on and publishes no others. */
  rotate(): void;
  /** The key that tokens of `algorithm` are signed with. */
  key(algorithm: Algorithm): SigningKey;
  /** Handles every request instead of the provider; undefined restores the provider. */
  answerBy(listener: RequestListener | undefined): void;
  close(): Promise<void>;
}

const postForm = async (
  url: string,
  algorithm: Algorithm,
  form: Readonly<Record<string, string>>,
): Promise<unknown> => {
  const credentials = `app-${algorithm}:${encodeURIComponent(clientSecret).replaceAll("%20", "+")}`;
  const response = await fetch(url, {
    method: "POST",
    headers: { Authorization: `Basic ${Buffer.from(credentials).toString("base64")}` },
    body: new URLSearchParams(form),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url}: ${response.status} ${text}`);
  return text === "" ? undefined : JSON.parse(text);
};

/** An authorization code for a sign-in of `account` two minutes ago. */
const authorizationCode = async (
  provider: Provider,
  account: string,
  algorithm: Algorithm,
): Promise<string> => {
  const scope = "openid email profile";
  const clientId = `app-${algorithm}`;
  const client = await provider.Client.find(clientId);
  if (client === undefined) throw new Error("no such client");
  const grant = new provider.Grant({ accountId: account, clientId });
  grant.addOIDCScope(scope);
  const grantId = await grant.save();
  const code = new provider.AuthorizationCode({
    accountId: account,
    client,
    grantId,
    scope,
    redirectUri,
    authTime: Math.floor(Date.now() / 1000) - 120,
    claims: { id_token: { auth_time: { essential: true } } },
    gty: "authorization_code",
  });
  return code.save();
};

/** Starts one on a port that the system chooses. */
export const startIdentityProvider = async (): Promise<IdentityProvider> => {
  let provider: Provider;
  let handle: RequestListener;
  let instead: RequestListener | undefined;
  let keys: SigningKey[];
  let seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    (instead ?? handle)(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // Listening on a port, so the address is an AddressInfo.
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const open = (): void => {
    keys = [newKey("rsa"), newKey("ec"), newKey("ed25519")];
    provider = new Provider(issuer, configurationOf(keys));
    const callback = provider.callback();
    handle = (request, response) => void callback(request, response);
  };
  open();

  return {
    issuer,
    takeRequests: () => seen.splice(0),
    signIn: async (account, algorithm = "ES256") => {
      const tokens = (await postForm(`${issuer}/token`, algorithm, {
        grant_type: "authorization_code",
        redirect_uri: redirectUri,
        code: await authorizationCode(provider, account, algorithm),
      })) as { id_token: string; access_token: string };
      seen = [];
      return { idToken: tokens.id_token, accessToken: tokens.access_token };
    },
    revoke: async (accessToken, algorithm = "ES256") => {
      await postForm(`${issuer}/token/revocation`, algorithm, { token: accessToken });
    },
    rotate: open,
    key: (algorithm) => {
      const kty = algorithm === "ES256" ? "ec" : algorithm === "EdDSA" ? "ed25519" : "rsa";
      const found = keys.find(({ kid }) => kid.startsWith(kty));
      if (found === undefined) throw new Error("no such key");
      return found;
    },
    answerBy: (listener) => {
      instead = listener;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
