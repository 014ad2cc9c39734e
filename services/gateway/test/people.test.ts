import { createHmac, createPublicKey, type JsonWebKey } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import {
  audience,
  clientId,
  startPeopleProvider,
} from "../../../stack/src/testing/servers/people-provider.ts";
import { becomes } from "./becomes.ts";
import { contextOf, type GatewayProcess } from "./gateway-process.ts";
import { tenant, upstream } from "./gateways-by-settings.ts";
import {
  announce,
  ask,
  gatewayOf,
  groups,
  provider,
  startGatewayOf,
  usePeople,
} from "./people-of-provider.ts";

/** Signed in as the gateway demands. */
const strong = { acr: "phr", auth_time: Math.floor(Date.now() / 1_000) };
const ann = { groups: ["security", "staff"], name: "Ann", ...strong };

usePeople();

/** For all tests of this file. */
let gateway: GatewayProcess;

beforeAll(async () => {
  provider.people.set("ann", ann);
  provider.people.set("bob", { groups: [], ...strong });
  gateway = await startGatewayOf({
    PUBLIC_URL: "https://ikg.example",
    OIDC_ACR_VALUES: "phr phrh",
    OIDC_MAX_AGE_SECONDS: "600",
  });
});
afterAll(() => gateway?.stop());

describe("people who administer", () => {
  it("have the roles of the bindings that their claims match", async () => {
    const [viewers, auditors] = [
      await tenant.bind(groups("security"), "viewer", tenant.project),
      await tenant.bind({ claim: "sub", value: "ann" }, "auditor"),
    ];
    const token = await provider.accessToken("ann");
    expect((await ask(gateway, token)).status).toBe(200);
    const headers = upstream.arrived.at(-1)?.headers ?? {};
    expect(headers["authorization"]).toBeUndefined();
    const { caller } = await contextOf(headers, "configs", "/configs/v1/projects", "GET");
    expect(caller).toEqual({
      kind: "user",
      org: tenant.organization,
      issuer: provider.issuer,
      sub: "ann",
      name: "Ann",
      grants: { viewer: [tenant.project], auditor: [tenant.organization] },
    });
    expect((await ask(gateway, token, "/configs/v1/projects", "POST")).status).toBe(403);
    expect((await ask(gateway, token, "/audit/v1/logs?project_id=x")).status).toBe(200);
    expect((await ask(gateway, token, "/capture/v1/export")).status).toBe(403);
    // The data plane knows agents alone.
    expect((await ask(gateway, token, "/access/v1/evaluation", "POST")).status).toBe(401);
    const bob = await ask(gateway, await provider.accessToken("bob"));
    expect([bob.status, bob.text]).toEqual([
      403,
      '{"message":"the caller has no role that permits this operation"}',
    ]);
    await tenant.remove(viewers);
    await tenant.remove(auditors);
    await announce(auditors);
    await becomes(403, () => ask(gateway, token));
  });

  it("gain and lose roles within 2 s, and with their groups", async () => {
    const token = await provider.accessToken("ann");
    const askWithToken = () => ask(gateway, token);
    expect((await askWithToken()).status).toBe(403);
    const binding = await tenant.bind(groups("security"), "viewer");
    await announce(binding);
    expect(await becomes(200, askWithToken)).toBeLessThan(2_000);
    provider.people.set("ann", { ...ann, groups: ["staff"] });
    expect((await ask(gateway, await provider.accessToken("ann"))).status).toBe(403);
    provider.people.set("ann", ann);
    expect((await ask(gateway, await provider.accessToken("ann"))).status).toBe(200);
    await tenant.remove(binding);
    await announce(binding);
    expect(await becomes(403, askWithToken)).toBeLessThan(2_000);
  });

  it("have a role by their email address only where the provider has verified it", async () => {
    const email = "ann@example.com";
    const binding = await tenant.bind({ claim: "email", value: email }, "viewer");
    await announce(binding);
    const token = await provider.accessToken("ann");
    const askWith = async (claims: object) => {
      const resigned = await provider.resign(token, { email, ...claims });
      return ask(gateway, resigned);
    };
    await becomes(200, () => askWith({ email_verified: true }));
    for (const claims of [{}, { email_verified: false }, { email_verified: "true" }])
      expect([claims, (await askWith(claims)).status]).toEqual([claims, 403]);
    await tenant.remove(binding);
    await announce(binding);
  });

  it("may do nothing while there are several organizations and none is named", async () => {
    const binding = await tenant.bind(groups("security"), "owner");
    const second = await tenant.organizationBeside();
    const unnamed = await gatewayOf({ OIDC_ORGANIZATION: "" });
    expect((await ask(unnamed, await provider.accessToken("ann"))).status).toBe(403);
    await tenant.remove(second);
    await tenant.remove(binding);
    await announce(binding);
  });

  it("sign in again where a stronger or newer sign-in is demanded", async () => {
    const binding = await tenant.bind(groups("security"), "viewer");
    await announce(binding);
    const askWith = async (claims: object) => {
      provider.people.set("ann", { ...ann, ...claims });
      return ask(gateway, await provider.accessToken("ann"));
    };
    const weak = await askWith({ acr: "pwd" });
    // Each names the whole demand, so that the next sign-in meets it.
    const challenge =
      'Bearer error="insufficient_user_authentication", error_description="a stronger or newer sign-in is needed", max_age="600", acr_values="phr phrh"';
    expect([weak.status, weak.challenge]).toEqual([401, challenge]);
    const old = await askWith({ auth_time: strong.auth_time - 700 });
    expect([old.status, old.challenge]).toEqual([401, challenge]);
    await becomes(200, () => askWith({ acr: "phrh" }));
    provider.people.set("ann", ann);
    await tenant.remove(binding);
    await announce(binding);
  });
});

describe("service accounts", () => {
  it("have what role bindings give besides their own role", async () => {
    const { token, account } = await tenant.account();
    const askWithToken = () => ask(gateway, token);
    expect((await askWithToken()).status).toBe(403);
    const binding = await tenant.bind({ service_account_id: account }, "viewer", tenant.project);
    await announce(binding);
    expect(await becomes(200, askWithToken)).toBeLessThan(2_000);
    expect((await ask(gateway, token, "/configs/v1/projects", "POST")).text).toBe(
      '{"message":"the caller has no role that permits this operation"}',
    );
    await tenant.remove(binding);
    await announce(binding);
    expect(await becomes(403, askWithToken)).toBeLessThan(2_000);
  });
});

describe("the metadata of the configuration", () => {
  it("say where and how people sign in, and which sign-ins are demanded", async () => {
    const answer = await fetch(`${gateway.url}/.well-known/oauth-protected-resource/configs/v1`);
    expect([answer.status, await answer.json()]).toEqual([
      200,
      {
        resource: "https://ikg.example/configs/v1",
        authorization_servers: [provider.issuer],
        bearer_methods_supported: ["header"],
        scopes_supported: ["openid", "profile", "offline_access"],
        client_id: clientId,
        audience,
        acr_values: ["phr", "phrh"],
        max_age: 600,
      },
    ]);
  });
});

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

describe("tokens of people", () => {
  it("are refused when anything about them is wrong", async () => {
    const binding = await tenant.bind(groups("security"), "owner");
    const token = await provider.accessToken("ann");
    await announce(binding);
    await becomes(200, () => ask(gateway, token));
    const now = Math.floor(Date.now() / 1_000);
    const elsewhere = await startPeopleProvider();
    elsewhere.people.set("ann", ann);
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
    await announce(binding);
  });
});
