import { afterAll, beforeAll, beforeEach } from "@jest/globals";
import { type JWTPayload, SignJWT } from "jose";
import type { IntrospectionConfig } from "../src/index.ts";
import { type Endpoint, json, startEndpoint } from "./endpoint.ts";
import { type IdentityProvider, startIdentityProvider } from "./identity-provider.ts";
import {
  configOf,
  type IntrospectionUnderTest,
  openIntrospectionUnderTest,
} from "./introspection-under-test.ts";

export let idp: IdentityProvider;
export let endpoint: Endpoint;
export let under: IntrospectionUnderTest;
let number = 0;

/** A unique number for names of a test. */
export const nextNumber = (): number => number++;

beforeAll(async () => {
  idp = await startIdentityProvider();
  endpoint = await startEndpoint();
  under = openIntrospectionUnderTest();
});

afterAll(async () => {
  await under.close();
  await endpoint.close();
  await idp.close();
});

beforeEach(() => {
  endpoint.requests.length = 0;
  endpoint.answer = json({ sub: "alice" });
  idp.takeRequests();
});

export const now = () => Math.floor(Date.now() / 1000);

/** A token with a unique id, signed by the provider. */
export const tokenOf = (claims: JWTPayload = {}): Promise<string> => {
  const { kid, privateKey } = idp.key("ES256");
  const payload = { iss: idp.issuer, aud: "api", sub: "alice", exp: now() + 300, iat: now() - 10 };
  return new SignJWT({ ...payload, jti: `t${number++}`, ...claims })
    .setProtectedHeader({ alg: "ES256", kid })
    .sign(privateKey);
};

export const matcher = () => ({ jwtMatcher: { issuer: idp.issuer, audience: "api" } });
export const byUserinfo = (cacheTtl = 0, more: Partial<IntrospectionConfig> = {}): IntrospectionConfig =>
  configOf({ ...matcher(), online: { userinfoEndpoint: endpoint.url, cacheTtl }, ...more });
export const byIntrospection = (cacheTtl = 0, more: Partial<IntrospectionConfig> = {}): IntrospectionConfig =>
  configOf({
    ...matcher(),
    online: { introspection: { endpoint: endpoint.url, clientId: "c", clientSecret: "s" }, cacheTtl },
    ...more,
  });

export const refused = (reason: string) => ({
  code: "bearer_invalid",
  status: 401,
  headers: { "WWW-Authenticate": `Bearer error="invalid_token", error_description="${reason}"` },
});
export const notVerified = { code: "unavailable", status: 503, headers: { "Retry-After": "5" } };
