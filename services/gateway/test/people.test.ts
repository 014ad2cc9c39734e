import { describe, expect, it } from "@jest/globals";
import { becomes } from "./becomes.ts";
import { contextOf } from "./gateway-process.ts";
import { tenant, upstream } from "./gateways-by-settings.ts";
import { announce, ask, gatewayOf, groups, provider, usePeople } from "./people-of-provider.ts";

usePeople();

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
    expect(await becomes(200, asked)).toBeLessThan(2_000);
    provider.people.set("ann", { groups: ["staff"] });
    expect((await ask(gateway, await provider.accessToken("ann"))).status).toBe(403);
    provider.people.set("ann", { groups: ["security", "staff"], name: "Ann" });
    expect((await ask(gateway, await provider.accessToken("ann"))).status).toBe(200);
    await tenant.remove(binding);
    await announce(binding);
    expect(await becomes(403, asked)).toBeLessThan(2_000);
  });

  it("have a role by their email address only where the provider has verified it", async () => {
    const email = "ann@example.com";
    const binding = await tenant.bind({ claim: "email", value: email }, "viewer");
    const gateway = await gatewayOf();
    const token = await provider.accessToken("ann");
    const statusWith = async (claims: object): Promise<number> =>
      (await ask(gateway, await provider.resign(token, { email, ...claims }))).status;
    expect(await statusWith({ email_verified: true })).toBe(200);
    for (const claims of [{}, { email_verified: false }, { email_verified: "true" }])
      expect([claims, await statusWith(claims)]).toEqual([claims, 403]);
    await tenant.remove(binding);
  });

  it("may do nothing while there are several organizations and none is named", async () => {
    const gateway = await gatewayOf({ OIDC_ORGANIZATION: "" });
    const second = await tenant.organizationBeside();
    expect((await ask(gateway, await provider.accessToken("ann"))).status).toBe(403);
    await tenant.remove(second);
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
    expect(await becomes(200, asked)).toBeLessThan(2_000);
    expect((await ask(gateway, token, "/configs/v1/projects", "POST")).text).toBe(
      '{"message":"the caller has no role that permits this operation"}',
    );
    await tenant.remove(binding);
    await announce(binding);
    expect(await becomes(403, asked)).toBeLessThan(2_000);
  });
});
