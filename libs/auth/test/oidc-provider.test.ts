import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { decodeProtectedHeader } from "jose";
import {
  algorithms,
  type IdentityProvider,
  introspector,
  startIdentityProvider,
} from "./identity-provider.ts";
import {
  configOf,
  type IntrospectionUnderTest,
  openIntrospectionUnderTest,
} from "./introspection-under-test.ts";

let idp: IdentityProvider;
let under: IntrospectionUnderTest;

beforeAll(async () => {
  idp = await startIdentityProvider();
  under = openIntrospectionUnderTest();
});

afterAll(async () => {
  await under.close();
  await idp.close();
});

const jwt = (algorithm: string) => ({ jwtMatcher: { issuer: idp.issuer, audience: `app-${algorithm}` } });
const discovery = "GET /.well-known/openid-configuration";
const refused = { code: "bearer_invalid", status: 401 };
const notVerified = { code: "unavailable", status: 503, headers: { "Retry-After": "5" } };

describe("ID tokens of a provider, by the keys that it publishes", () => {
  it.each(algorithms)("signed with %s", async (algorithm) => {
    const { idToken } = await idp.signIn("alice", algorithm);
    expect(decodeProtectedHeader(idToken).alg).toBe(algorithm);
    const { subject, claims } = await under.introspect(idToken, configOf(jwt(algorithm)));
    expect(subject).toBe("alice");
    expect(claims).toMatchObject({
      iss: idp.issuer,
      email: "alice@example.com",
      auth_age: expect.any(Number),
    });
    expect(idp.takeRequests()).toEqual([discovery, "GET /jwks"]);
  });

  it("are accepted when the keys change, and those of the former keys refused", async () => {
    const config = configOf(jwt("ES256"));
    const before = await idp.signIn("alice");
    await under.introspect(before.idToken, config);
    idp.rotate();
    under.wait(31_000);
    const after = await idp.signIn("alice");
    await expect(under.introspect(after.idToken, config)).resolves.toMatchObject({ subject: "alice" });
    const forged = `${before.idToken.slice(0, -4)}AAAA`;
    await expect(under.introspect(forged, config)).rejects.toMatchObject({
      ...refused,
      message: "bearer token not valid: unknown key",
    });
  });

  it("are verified with cached keys for a day while the provider is unavailable; those with an unknown key are not", async () => {
    const config = configOf(jwt("ES256"));
    const known = await idp.signIn("bob");
    const later = await idp.signIn("carol");
    await under.introspect(known.idToken, config);
    idp.rotate();
    const unknown = await idp.signIn("dave");
    idp.answerBy((_request, response) => response.writeHead(500).end());
    try {
      under.wait(3_600_001);
      await expect(under.introspect(later.idToken, config)).resolves.toMatchObject({ subject: "carol" });
      await expect(under.introspect(unknown.idToken, config)).rejects.toMatchObject(notVerified);
      expect(under.counted).toContain("ikg_bearers_not_judged_total upstream_status");
    } finally {
      idp.answerBy(undefined);
    }
    under.wait(31_000);
    await expect(under.introspect(unknown.idToken, config)).resolves.toMatchObject({ subject: "dave" });
  });
});

describe("opaque access tokens of a provider", () => {
  const opaque = { opaqueMatcher: { hint: "the provider" } };

  it("are verified by userinfo, until they are revoked", async () => {
    const userinfoEndpoint = `${idp.issuer}/me`;
    const config = configOf({
      ...opaque,
      online: { userinfoEndpoint, cacheTtl: 0 },
      claimsMapping: { mail: { selector: "email" } },
    });
    const { accessToken } = await idp.signIn("alice");
    const { subject, claims } = await under.introspect(accessToken, config);
    expect(subject).toBe("alice");
    expect(claims).toMatchObject({ mail: "alice@example.com", role: "nurse", auth_age: null });
    await under.introspect(accessToken, config);
    expect(idp.takeRequests()).toEqual(["GET /me", "GET /me"]);
    await idp.revoke(accessToken);
    await expect(under.introspect(accessToken, config)).rejects.toMatchObject({
      ...refused,
      message: "bearer token not valid: refused by its issuer",
    });
  });

  it("are verified by introspection, until they are revoked", async () => {
    const endpoint = `${idp.issuer}/token/introspection`;
    const config = configOf({
      ...opaque,
      online: { introspection: { endpoint, ...introspector }, cacheTtl: 0 },
    });
    const { accessToken } = await idp.signIn("alice");
    const { subject, claims } = await under.introspect(accessToken, config);
    expect(subject).toBe("alice");
    expect(claims).toMatchObject({ iss: idp.issuer, client_id: "app-ES256", token_age: expect.any(Number) });
    expect(claims).not.toHaveProperty("active");
    await idp.revoke(accessToken);
    await expect(under.introspect(accessToken, config)).rejects.toMatchObject({
      ...refused,
      message: "bearer token not valid: not active",
    });
  });

  it("are not verified when the provider rejects the client's credentials", async () => {
    const endpoint = `${idp.issuer}/token/introspection`;
    const introspection = { endpoint, clientId: introspector.clientId, clientSecret: "wrong" };
    const config = configOf({ ...opaque, online: { introspection, cacheTtl: 0 } });
    const { accessToken } = await idp.signIn("alice");
    await expect(under.introspect(accessToken, config)).rejects.toMatchObject(notVerified);
  });

  it("match no configuration for JWTs, and JWTs none for opaque tokens", async () => {
    const userinfoEndpoint = `${idp.issuer}/me`;
    const { accessToken, idToken } = await idp.signIn("alice");
    const config = configOf({ ...opaque, online: { userinfoEndpoint, cacheTtl: 0 } });
    idp.takeRequests();
    for (const [token, other] of [
      [accessToken, configOf(jwt("ES256"))],
      [idToken, config],
      [`${idToken.split(".")[0] ?? ""}.not-json.x`, config],
    ] as const)
      await expect(under.introspect(token, other)).rejects.toMatchObject({
        ...refused,
        message: "bearer token not valid: no configuration matches",
      });
    expect(idp.takeRequests()).toEqual([]);
  });
});
