import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createHmac, createPublicKey, type JsonWebKey } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { changesChannel, type Gid } from "@ikg/contracts";
import {
  audience,
  clientId,
  type PeopleProvider,
  startPeopleProvider,
} from "../../../stack/src/testing/people-provider.ts";
import { contextOf, type GatewayProcess } from "./gateway-process.ts";
import { gatewayWith, redis, tenant, upstream, useGatewaysBySettings } from "./gateways-by-settings.ts";

/** People of a real OpenID provider who administer through a gateway. */
useGatewaysBySettings();

let provider: PeopleProvider;

beforeAll(async () => {
  provider = await startPeopleProvider();
  provider.people.set("ann", { groups: ["security", "staff"], name: "Ann" });
  provider.people.set("bob", { groups: [] });
});
afterAll(() => provider?.close());

const gatewayOf = (more: Readonly<Record<string, string>> = {}): Promise<GatewayProcess> =>
  gatewayWith({
    UPSTREAM_AUDIT: upstream.url,
    OIDC_ISSUER: provider.issuer,
    OIDC_AUDIENCE: audience,
    OIDC_CLIENT_ID: clientId,
    OIDC_ORGANIZATION: tenant.organization,
    EGRESS_ALLOW_HTTP: "true",
    EGRESS_ALLOW_CIDRS: "127.0.0.0/8",
    ...more,
  });

const ask = async ({ url }: GatewayProcess, token: string, path = "/configs/v1/projects", method = "GET") => {
  const answer = await fetch(url + path, { method, headers: { Authorization: `Bearer ${token}` } });
  const text = await answer.text();
  return { status: answer.status, text, challenge: answer.headers.get("www-authenticate") };
};

const announce = (id: Gid) =>
  redis.publish(
    changesChannel,
    JSON.stringify({ kind: "role_binding", id, organization_id: tenant.organization, action: "updated" }),
  );

/** Milliseconds until the answer has this status. */
const until = async (status: number, asked: () => Promise<{ readonly status: number }>): Promise<number> => {
  const started = Date.now();
  while ((await asked()).status !== status) {
    if (Date.now() - started > 5_000) throw new Error(`still not ${status}`);
    await wait(20);
  }
  return Date.now() - started;
};

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

const groups = (value: string) => ({ claim: "groups", value });

describe("people who administer", () => {
  it("have the roles of the bindings that their claims match", async () => {
    const [viewers, auditors] = [
      await tenant.bind(groups("security"), "viewer", tenant.project),
      await tenant.bind({ claim: "sub", value: "ann" }, "auditor"),
    ];
    const gateway = await gatewayOf();
    const ann = await provider.accessToken("ann");
    expect((await ask(gateway, ann)).status).toBe(200);
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
    expect((await ask(gateway, ann, "/configs/v1/projects", "POST")).status).toBe(403);
    expect((await ask(gateway, ann, "/audit/v1/logs?project_id=x")).status).toBe(200);
    expect((await ask(gateway, ann, "/capture/v1/export")).status).toBe(403);
    // The data plane knows agents alone.
    expect((await ask(gateway, ann, "/access/v1/evaluation", "POST")).status).toBe(401);
    const bob = await ask(gateway, await provider.accessToken("bob"));
    expect([bob.status, bob.text]).toEqual([
      403,
      '{"message":"the caller has no role that permits this operation"}',
    ]);
    await tenant.remove(viewers);
    await tenant.remove(auditors);
  });

  it("gain and lose roles within 2 s, and with their groups", async () => {
    const gateway = await gatewayOf();
    const ann = await provider.accessToken("ann");
    const asked = () => ask(gateway, ann);
    expect((await asked()).status).toBe(403);
    const binding = await tenant.bind(groups("security"), "viewer");
    await announce(binding);
    expect(await until(200, asked)).toBeLessThan(2_000);
    provider.people.set("ann", { groups: ["staff"] });
    expect((await ask(gateway, await provider.accessToken("ann"))).status).toBe(403);
    provider.people.set("ann", { groups: ["security", "staff"], name: "Ann" });
    expect((await ask(gateway, await provider.accessToken("ann"))).status).toBe(200);
    await tenant.remove(binding);
    await announce(binding);
    expect(await until(403, asked)).toBeLessThan(2_000);
  });

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
    expect([weak.status, weak.challenge]).toEqual([
      401,
      'Bearer error="insufficient_user_authentication", error_description="a stronger or newer sign-in is needed", acr_values="phr phrh"',
    ]);
    const old = await ask(gateway, await tokenWith({ acr: "phr", auth_time: now - 700 }));
    expect([old.status, old.challenge?.includes('max_age="600"')]).toEqual([401, true]);
    expect((await ask(gateway, await tokenWith({ acr: "phrh", auth_time: now }))).status).toBe(200);
    provider.people.set("ann", { groups: ["security", "staff"], name: "Ann" });
    await tenant.remove(binding);
  });

  it("may do nothing while there are several organizations and none is named", async () => {
    const gateway = await gatewayOf({ OIDC_ORGANIZATION: "" });
    const second = await tenant.organizationBeside();
    expect((await ask(gateway, await provider.accessToken("ann"))).status).toBe(403);
    await tenant.remove(second);
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

  it("are 404 in a deployment without people", async () => {
    const gateway = await gatewayWith({});
    expect((await fetch(gateway.url + path)).status).toBe(404);
    const token = await provider.accessToken("ann");
    expect((await ask(gateway, token)).challenge).toBe('Bearer error="invalid_token"');
  });
});

describe("service accounts", () => {
  it("have what role bindings give besides their own role", async () => {
    const gateway = await gatewayOf();
    const { token, account } = await tenant.account();
    const asked = () => ask(gateway, token);
    expect((await asked()).status).toBe(403);
    const binding = await tenant.bind({ service_account_id: account }, "viewer", tenant.project);
    await announce(binding);
    expect(await until(200, asked)).toBeLessThan(2_000);
    expect((await ask(gateway, token, "/configs/v1/projects", "POST")).text).toBe(
      '{"message":"the caller has no role that permits this operation"}',
    );
    await tenant.remove(binding);
    await announce(binding);
    expect(await until(403, asked)).toBeLessThan(2_000);
  });
});
