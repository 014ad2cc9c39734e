import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createAgent } from "../../src/configuration/create-agent.ts";
import { createTenant, type Tenant } from "../../src/configuration/tenant.ts";
import { withKey } from "../../src/requests/data-plane.ts";
import { expectRefusal } from "../../src/requests/envelope.ts";
import { createTokenIssuer, type TokenIssuer } from "../../src/tokens/token-issuer.ts";

const path = "/ciq/v1/whoami";
let tenant: Tenant;
let issuer: TokenIssuer;

beforeAll(async () => {
  tenant = await createTenant("whoami");
  issuer = await createTokenIssuer(tenant.projectId, { ikg_node_type: "Pilot" });
});
afterAll(() => tenant?.remove());

describe("GET /ciq/v1/whoami through the gateway", () => {
  it("tells type and id of the bearer, and refuses to without one", async () => {
    const bearer = await issuer.sign("amelia");
    const response = await withKey(path, { key: tenant.key, bearer });
    expect([response.status, response.body]).toEqual([200, { type: "Pilot", id: "amelia" }]);
    expectRefusal(await withKey(path, tenant), {
      status: 401,
      message: "bearer token required",
      challenge: 'Bearer realm="ciq"',
    });
  });

  it("wants key and permission before it", async () => {
    expect((await withKey(path, { key: "not-one" })).status).toBe(401);
    const { key } = await createAgent(tenant.applicationId, ["Authorization"]);
    expectRefusal(await withKey(path, { key }), { status: 403, message: "permission missing: ContXIQ" });
  });
});
