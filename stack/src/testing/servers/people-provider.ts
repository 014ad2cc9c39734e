import { generateKeyPairSync, hash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { decodeJwt, SignJWT } from "jose";
import { type Configuration, Provider } from "oidc-provider";

/** The public client that people sign in with. */
export const clientId = "ikg-people";
/** What their access tokens are issued for. */
export const audience = "https://ikg.example/configs/v1";

/** What the provider knows of a person; tokens show it as it is when they are issued. */
export interface PersonClaims {
  readonly groups: readonly string[];
  readonly name?: string;
  readonly acr?: string;
  /** Seconds since the epoch. */
  readonly auth_time?: number;
}

/** What a token says instead; undefined: nothing. */
type Claims = Readonly<Record<string, unknown>>;

/** An OpenID provider at which people sign in to administer: the device flow, and the code flow with PKCE. */
export interface PeopleProvider {
  readonly issuer: string;
  /** By their subject. */
  readonly people: Map<string, PersonClaims>;
  /** Who sits at the browser and is signed in without being asked anything. */
  atBrowser: string;
  /** An access token (RFC 9068) from the token endpoint, as after a sign-in. */
  accessToken(sub: string): Promise<string>;
  /** The same token with other claims or another header, signed with the key of the provider. */
  resign(token: string, claims: Claims, header?: Readonly<Record<string, string>>): Promise<string>;
  /**
   * Lets a person confirm the code that a device shows.
   *
   * @returns the parameters of the request for the code.
   */
  confirmDevice(userCode: string, sub: string): Promise<Readonly<Record<string, unknown>>>;
  close(): Promise<void>;
}

const scope = "openid profile offline_access";
/** A public client has to prove by it that the code is its own (RFC 7636). */
const codeVerifier = "v".repeat(43);
const redirectUri = "http://127.0.0.1/callback";
/** Of the console, on any port (RFC 8252, section 7.3). */
const consoleRedirectUri = "http://127.0.0.1/console/signed-in.html";

const configurationOf = (jwk: object, people: ReadonlyMap<string, PersonClaims>): Configuration => ({
  jwks: { keys: [jwk] },
  clients: [
    {
      client_id: clientId,
      application_type: "native",
      token_endpoint_auth_method: "none",
      redirect_uris: [redirectUri, consoleRedirectUri],
      response_types: ["code"],
      grant_types: ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"],
      id_token_signed_response_alg: "ES256",
    },
  ],
  scopes: ["openid", "profile", "offline_access", "administer"],
  claims: { openid: ["sub"], profile: ["name"] },
  cookies: { keys: ["of no use here"] },
  ttl: {
    AccessToken: 300,
    AuthorizationCode: 60,
    Grant: 600,
    IdToken: 300,
    RefreshToken: 600,
    DeviceCode: 120,
  },
  // The console asks from its own origin.
  clientBasedCORS: () => true,
  interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
  extraTokenClaims: (_context, token) => {
    const { groups, ...others } = ("accountId" in token && people.get(token.accountId ?? "")) || {
      groups: [],
    };
    return { groups, ...others };
  },
  findAccount: (_context, id) => ({
    accountId: id,
    claims: () => ({ sub: id, name: people.get(id)?.name ?? id }),
  }),
  features: {
    devInteractions: { enabled: false },
    deviceFlow: { enabled: true },
    revocation: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => audience,
      useGrantedResource: () => true,
      getResourceServerInfo: () => ({
        scope: "administer",
        audience,
        accessTokenFormat: "jwt",
        accessTokenTTL: 300,
        jwt: { sign: { alg: "ES256" } },
      }),
    },
  },
});

const grantOf = async (provider: Provider, sub: string): Promise<string> => {
  const grant = new provider.Grant({ accountId: sub, clientId });
  grant.addOIDCScope(scope);
  grant.addResourceScope(audience, "administer");
  return grant.save();
};

/** Answers the page that asks who the user is, and whether the client may: yes, and no question. */
const interact = async (
  provider: Provider,
  sub: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const grantId = await grantOf(provider, sub);
  await provider.interactionFinished(request, response, {
    login: { accountId: sub },
    consent: { grantId },
  });
};

/** The code that a browser brings back after the user has signed in. */
const authorizationCode = async (provider: Provider, sub: string): Promise<string> => {
  const client = await provider.Client.find(clientId);
  if (client === undefined) throw new Error("no such client");
  const code = new provider.AuthorizationCode({
    accountId: sub,
    client,
    grantId: await grantOf(provider, sub),
    scope,
    redirectUri,
    resource: audience,
    authTime: Math.floor(Date.now() / 1_000) - 60,
    gty: "authorization_code",
    codeChallenge: hash("sha256", codeVerifier, "base64url"),
    codeChallengeMethod: "S256",
  });
  return code.save();
};

const requestToken = async (issuer: string, code: string): Promise<string> => {
  const answer = await fetch(`${issuer}/token`, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "authorization_code",
      client_id: clientId,
      code,
      redirect_uri: redirectUri,
      code_verifier: codeVerifier,
    }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`token: ${answer.status} ${text}`);
  return (JSON.parse(text) as { access_token: string }).access_token;
};

interface ProviderOptions {
  /** Seconds between two polls of a device (RFC 8628, section 3.2); undefined: the device takes its default. */
  readonly pollSeconds?: number;
}

/** Starts one on a port that the system chooses. */
export const startPeopleProvider = async ({ pollSeconds }: ProviderOptions = {}): Promise<PeopleProvider> => {
  const people = new Map<string, PersonClaims>();
  let handle: RequestListener;
  const server = createServer((request, response) => handle(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // of TCP
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const kid = "people-1";
  const jwk = { ...privateKey.export({ format: "jwk" }), kid, use: "sig", alg: "ES256" };
  const provider = new Provider(issuer, configurationOf(jwk, people));
  if (pollSeconds !== undefined)
    provider.on("device_authorization.success", (_context, body) => {
      body["interval"] = pollSeconds;
    });
  const callback = provider.callback();
  const self: PeopleProvider = {
    issuer,
    people,
    atBrowser: "",
    accessToken: async (sub) => requestToken(issuer, await authorizationCode(provider, sub)),
    resign: (token, claims, header = {}) =>
      new SignJWT({ ...decodeJwt(token), ...claims })
        .setProtectedHeader({ alg: "ES256", typ: "at+jwt", kid, ...header })
        .sign(privateKey),
    confirmDevice: async (userCode, sub) => {
      const code = await provider.DeviceCode.findByUserCode(userCode.replaceAll(/[^A-Z0-9]/g, ""));
      if (code === undefined) throw new Error("no such code");
      Object.assign(code, {
        accountId: sub,
        grantId: await grantOf(provider, sub),
        authTime: Math.floor(Date.now() / 1_000),
        scope,
        resource: audience,
      });
      await code.save();
      return code.params ?? {};
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  handle = (request, response) =>
    request.url?.startsWith("/interaction/") === true
      ? void interact(provider, self.atBrowser, request, response)
      : void callback(request, response);
  return self;
};
