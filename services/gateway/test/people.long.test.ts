import { describe, expect, it } from "@jest/globals";
import { audience, clientId } from "../../../stack/src/testing/servers/people-provider.ts";
import { gatewayWith, tenant } from "./gateways-by-settings.ts";
import { ask, gatewayOf, groups, provider, usePeople } from "./people-of-provider.ts";

usePeople();

describe("people who administer", () => {
  it("need no strong sign-in where none is demanded", async () => {
    const binding = await tenant.bind(groups("security"), "viewer");
    const gateway = await gatewayOf();
    expect((await ask(gateway, await provider.accessToken("ann"))).status).toBe(200);
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
