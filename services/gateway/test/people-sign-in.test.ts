import { createHmac, createPublicKey, type JsonWebKey } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import {
  audience,
  clientId,
  startPeopleProvider,
} from "../../../stack/src/testing/servers/people-provider.ts";
import { gatewayWith, tenant } from "./gateways-by-settings.ts";
import { ask, gatewayOf, groups, provider, usePeople } from "./people-of-provider.ts";

usePeople();

/** The key that verifies tokens of the provider, in the forms in which a library may take it for a shared secret. */
const publicKeyForms = async (): Promise<Readonly<Record<string, string | Buffer>>> => {
  const { jwks_uri } = (await (
    await fetch(`${provider.issuer}/.well-known/openid-configuration`)
  ).json()) as {
    readonly jwks_uri: string;
  };
  const { keys } = (await (await fetch(jwks_uri)).json()) as { readonly keys: readonly JsonWebKey[] };
  const [jwk = {}] = keys;
  const key = createPublicKey({ key: jwk, format: "jwk" });
  return {
    PEM: key.export({ type: "spki", format: "pem" }),
    DER: key.export({ type: "spki", format: "der" }),
    JWK: JSON.stringify(jwk),
  };
};

describe("people who administer", () => {
  it("are refused with tokens that are wrong in anything", async () => {
    const binding = await tenant.bind(groups("security"), "owner");
    const gateway = await gatewayOf();
    const token = await provider.accessToken("ann");
    const now = Math.floor(Date.now() / 1_000);
    const elsewhere = await startPeopleProvider();
    elsewhere.people.set("ann", { groups: ["security"] });
    const [header = "", payload = "", signature = ""] = token.split(".");
    const headerOf = (alg: string): string =>
      Buffer.from(
        JSON.stringify({ ...JSON.parse(Buffer.from(header, "base64url").toString()), alg }),
      ).toString("base64url");
    const hmacs = Object.entries(await publicKeyForms()).map(([form, secret]) => {
      const signed = `${headerOf("HS256")}.${payload}`;
      const mac = createHmac("sha256", secret).update(signed).digest("base64url");
      return [`HS256 with the public key as ${form}`, `${signed}.${mac}`] as const;
    });
    const wrong: Readonly<Record<string, string>> = {
      "another issuer's": await elsewhere.accessToken("ann"),
      "another issuer's key": await elsewhere.resign(token, {}),
      "issuer claim": await provider.resign(token, { iss: "https://login.example" }),
      audience: await provider.resign(token, { aud: "https://other.example" }),
      "ID token": await provider.resign(token, { aud: clientId }),
      expired: await provider.resign(token, { exp: now - 61 }),
      "without expiry": await provider.resign(token, { exp: undefined }),
      "not yet valid": await provider.resign(token, { nbf: now + 120 }),
      "without subject": await provider.resign(token, { sub: undefined }),
      "unknown key": await provider.resign(token, {}, { kid: "other" }),
      "another kind of token": await provider.resign(token, {}, { typ: "logout+jwt" }),
      "algorithm none": `${headerOf("none")}.${payload}.`,
      ...Object.fromEntries(hmacs),
      "without signature": `${header}.${payload}.`,
      "other claims": `${header}.${Buffer.from('{"sub":"ann"}').toString("base64url")}.${signature}`,
    };
    await elsewhere.close();
    for (const [name, each] of Object.entries(wrong)) {
      const { status, challenge } = await ask(gateway, each);
      expect([name, status, challenge?.includes('error="invalid_token"')]).toEqual([name, 401, true]);
    }
    expect((await ask(gateway, token)).status).toBe(200);
    await tenant.remove(binding);
  });

  it("sign in again where a stronger or newer sign-in is demanded", async () => {
    const binding = await tenant.bind(groups("security"), "viewer");
    const gateway = await gatewayOf({ OIDC_ACR_VALUES: "phr phrh", OIDC_MAX_AGE_SECONDS: "600" });
    const now = Math.floor(Date.now() / 1_000);
    const tokenWith = (claims: object): Promise<string> => {
      provider.people.set("ann", { groups: ["security"], ...claims });
      return provider.accessToken("ann");
    };
    const weak = await ask(gateway, await tokenWith({ acr: "pwd", auth_time: now }));
    // Each names the whole demand, so that the next sign-in meets it.
    const challenge =
      'Bearer error="insufficient_user_authentication", error_description="a stronger or newer sign-in is needed", max_age="600", acr_values="phr phrh"';
    expect([weak.status, weak.challenge]).toEqual([401, challenge]);
    const old = await ask(gateway, await tokenWith({ acr: "phr", auth_time: now - 700 }));
    expect([old.status, old.challenge]).toEqual([401, challenge]);
    expect((await ask(gateway, await tokenWith({ acr: "phrh", auth_time: now }))).status).toBe(200);
    provider.people.set("ann", { groups: ["security", "staff"], name: "Ann" });
    await tenant.remove(binding);
  });
});

describe("the metadata of the configuration", () => {
  const path = "/.well-known/oauth-protected-resource/configs/v1";

  it("say where and how people sign in", async () => {
    const gateway = await gatewayOf({ PUBLIC_URL: "https://ikg.example" });
    const answer = await fetch(gateway.url + path);
    expect([answer.status, await answer.json()]).toEqual([
      200,
      {
        resource: "https://ikg.example/configs/v1",
        authorization_servers: [provider.issuer],
        bearer_methods_supported: ["header"],
        scopes_supported: ["openid", "profile", "offline_access"],
        client_id: clientId,
        audience,
      },
    ]);
  });

  it("say which sign-ins are demanded", async () => {
    const gateway = await gatewayOf({ OIDC_ACR_VALUES: "phr phrh", OIDC_MAX_AGE_SECONDS: "600" });
    expect(await (await fetch(gateway.url + path)).json()).toMatchObject({
      acr_values: ["phr", "phrh"],
      max_age: 600,
    });
  });

  it("are 404 in a deployment without people", async () => {
    const gateway = await gatewayWith({});
    expect((await fetch(gateway.url + path)).status).toBe(404);
    const token = await provider.accessToken("ann");
    expect((await ask(gateway, token)).challenge).toBe('Bearer error="invalid_token"');
  });
});
