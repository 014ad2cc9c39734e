import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { exportJWK, generateKeyPair } from "jose";
import { inParallel } from "../../../stack/src/measurement/in-parallel.ts";
import { environment } from "../../src/environment.ts";
import {
  tenant,
  policyId,
  ciq,
  reading,
  create,
  requireUnchanged,
  useStoredPolicy,
} from "../../src/fixtures/stored-policy.ts";
import { freshName } from "../../src/fresh-name.ts";
import { configs } from "../../src/requests/configs.ts";
import { hostileTexts, noNames } from "../../src/requests/hostile-texts.ts";
import { requireRefusal, requireSound } from "../../src/requests/refusal.ts";

useStoredPolicy();

describe("records", () => {
  const unknownGid = (like: string): string =>
    `${like.slice(0, -4)}${like.endsWith("AAAA") ? "BAAA" : "AAAA"}`;
  /** A good body of each collection; made anew for each use. */
  const good = (): Readonly<Record<string, Record<string, unknown>>> => ({
    projects: { organization_id: environment().organization_id, name: freshName("never") },
    applications: { project_id: tenant.projectId, name: freshName("never") },
    "application-agents": {
      application_id: tenant.applicationId,
      name: freshName("never"),
      api_permissions: ["Capture"],
    },
    "application-agent-credentials": { application_agent_id: tenant.agentId },
    "authorization-policies": {
      project_id: tenant.projectId,
      name: freshName("never"),
      policy: JSON.stringify(ciq(reading)),
      status: "ACTIVE",
    },
    "knowledge-queries": {
      project_id: tenant.projectId,
      name: freshName("never"),
      policy_id: policyId,
      query: '{"nodes":["thing.external_id"]}',
      status: "ACTIVE",
    },
    "token-introspects": {
      project_id: tenant.projectId,
      name: freshName("never"),
      jwt_matcher: { issuer: "https://never.example", audience: "x" },
      ikg_node_type: "Person",
    },
  });
  const collections = Object.keys({
    projects: 0,
    applications: 0,
    "application-agents": 0,
    "application-agent-credentials": 0,
    "authorization-policies": 0,
    "knowledge-queries": 0,
    "token-introspects": 0,
  });

  it("a body that is no JSON object is 400", async () => {
    await inParallel(collections, async (collection) => {
      for (const raw of ["", "{", "[]", "null", '"x"', "\0", `{"a":`.repeat(40) + "1" + "}".repeat(40)])
        requireRefusal(await configs(`/${collection}`, { raw }), 400);
      const plain = { raw: "{}", headers: { "Content-Type": "text/plain" } };
      requireRefusal(await configs(`/${collection}`, plain), 400);
      requireRefusal(await configs(`/${collection}`, { raw: "{}" }), 422);
      requireRefusal(await configs(`/${collection}`, { raw: `{"x":"${"x".repeat(2_100_000)}"}` }), 413);
    });
  });

  const badFields: readonly (readonly [string, string, readonly unknown[]])[] = [
    [
      "projects",
      "name",
      [null, "", "x", "X1", "1x", "a_b", "a-", "x".repeat(255), 5, ["ab"], "a b", ...noNames],
    ],
    ["projects", "organization_id", [null, "", "x", "gid:x", 5, {}, ...hostileTexts]],
    ["projects", "display_name", ["x", "x".repeat(255), 5, []]],
    ["projects", "description", ["x", "x".repeat(65_001), 5]],
    ["projects", "region", ["X", "a", "a b", 5]],
    ["projects", "ikg_size", ["3GB", 2, "2gb"]],
    ["applications", "project_id", [null, "", "gid:AAAA", 5]],
    [
      "application-agents",
      "api_permissions",
      [null, [], "Capture", ["Nope"], ["capture"], [5], [["Capture"]], {}],
    ],
    ["application-agents", "application_id", [null, "x", 5]],
    [
      "application-agent-credentials",
      "expire_time",
      ["", "soon", "2020-01-01T00:00:00Z", "2999-01-01", "2999-01-01T00:00:00", 5, "2999-02-30T00:00:00Z"],
    ],
    ["application-agent-credentials", "application_agent_id", [null, "x", 5]],
    ["application-agent-credentials", "display_name", ["x", 5]],
    ["authorization-policies", "status", [null, "active", "DELETED", 5]],
    [
      "authorization-policies",
      "tags",
      ["x", [""], [5], ["x".repeat(65)], Array.from({ length: 21 }, (_, at) => `t${at}`)],
    ],
    ["authorization-policies", "policy", [null, "", 5, {}, []]],
    ["knowledge-queries", "policy_id", [null, "", "x", 5]],
    ["knowledge-queries", "status", [null, "ON"]],
    [
      "token-introspects",
      "jwt_matcher",
      [
        null,
        "x",
        {},
        { issuer: "x", audience: "y" },
        { issuer: "https://x.example" },
        { issuer: "https://x.example", audience: "" },
        { issuer: "javascript:alert(1)", audience: "y" },
        { issuer: "https://u:p@x.example", audience: "y" },
      ],
    ],
    ["token-introspects", "ikg_node_type", [null, "x", "_Application", "A B", "A`", 5]],
    [
      "token-introspects",
      "claims_mapping",
      [
        "x",
        [],
        { a: { selector: "x" } },
        { external_id: { selector: "x" } },
        { "a b": { selector: "x" } },
        { ok: {} },
        { ok: { selector: "" } },
        { ok: "x" },
      ],
    ],
    ["token-introspects", "sub_claim", ["", 5, {}, "x".repeat(201)]],
    [
      "token-introspects",
      "offline_validation",
      [
        "x",
        { public_jwks: "x" },
        { public_jwks: ["x"] },
        { public_jwks: [`{"kty":"oct","k":"${"A".repeat(100)}"}`] },
      ],
    ],
    ["token-introspects", "perform_upsert", ["yes", 1]],
  ];
  it.each(badFields)("%s: a bad %s is 422", async (collection, field, values) => {
    await inParallel(values, async (value) => {
      const answer = await create(collection, { ...good()[collection], [field]: value });
      const errors = requireRefusal(answer, 422);
      if (!errors.some((error) => error.startsWith(field)))
        throw new Error(`${field} is not named: ${answer.text}`);
    });
  });

  it("a private key is refused and not echoed", async () => {
    const { privateKey } = await generateKeyPair("ES256", { extractable: true });
    const jwk = await exportJWK(privateKey);
    const answer = await create("token-introspects", {
      ...good()["token-introspects"],
      offline_validation: { public_jwks: [JSON.stringify(jwk)] },
    });
    expect(requireRefusal(answer, 422)[0]).toMatch(/^offline_validation\.public_jwks\[0\]/);
    expect(answer.text).not.toContain(jwk.d);
  });

  it("__proto__ in a body neither gives nor takes a field", async () => {
    const { name, ...rest } = good()["applications"] ?? {};
    const raw = `{"__proto__":{"name":"${String(name)}"},${JSON.stringify(rest).slice(1)}`;
    requireRefusal(await configs("/applications", { raw }), 422);
    const mapping = `{"claims_mapping":{"__proto__":{"selector":"x"}},${JSON.stringify(good()["token-introspects"]).slice(1)}`;
    requireRefusal(await configs("/token-introspects", { raw: mapping }), 422);
  });

  it("a parent that does not exist is 404, one of another kind 422", async () => {
    const parents: readonly (readonly [string, string, string, string])[] = [
      ["projects", "organization_id", environment().organization_id, tenant.projectId],
      ["applications", "project_id", tenant.projectId, tenant.applicationId],
      ["application-agents", "application_id", tenant.applicationId, tenant.agentId],
      ["application-agent-credentials", "application_agent_id", tenant.agentId, tenant.projectId],
      ["authorization-policies", "project_id", tenant.projectId, tenant.agentId],
      ["knowledge-queries", "project_id", tenant.projectId, tenant.agentId],
      ["token-introspects", "project_id", tenant.projectId, tenant.agentId],
    ];
    for (const [collection, field, id, otherKind] of parents) {
      requireRefusal(await create(collection, { ...good()[collection], [field]: unknownGid(id) }), 404);
      requireRefusal(await create(collection, { ...good()[collection], [field]: otherKind }), 422);
    }
  });

  it("a name that is taken is 409", async () => {
    const body = { ...good()["authorization-policies"], name: "taken" };
    requireRefusal(await create("authorization-policies", body), 409);
  });

  it("reads and deletes of what is not there are 404, and bad queries 400", async () => {
    const ids = ["gid:x", `gid:${"A".repeat(27)}`, unknownGid(tenant.projectId), tenant.agentId.slice(0, -1)];
    await inParallel(collections, async (collection) => {
      for (const id of [...ids, "gid:'OR'1'='1", "gid:__proto__", "gid:%60%29%20DETACH"]) {
        requireRefusal(await configs(`/${collection}/${id}`), 404);
        requireRefusal(await configs(`/${collection}/${id}`, { method: "DELETE" }), 404);
      }
      requireRefusal(await configs(`/${collection}/${tenant.credentialId}x`), 404);
      for (const query of [
        "project_id=x",
        "project_id=",
        "full_fetch=maybe",
        "project_id=a&project_id=b",
        "organization_id=x",
      ])
        requireRefusal(await configs(`/${collection}?${query}`), 400);
      const scope = collection === "projects" ? environment().organization_id : tenant.projectId;
      const field = collection === "projects" ? "organization_id" : "project_id";
      requireRefusal(await configs(`/${collection}?${field}=${unknownGid(scope)}`), 404);
    });
    for (const type of ["other", "KBAC", "", "kbac&type=ciq"])
      requireRefusal(await configs(`/authorization-policies?type=${type}`), 400);
    for (const version of ["0", "-1", "1.5", "x", "1e3", ""])
      requireRefusal(await configs(`/authorization-policies/${policyId}?version=${version}`), 400);
    requireRefusal(await configs(`/authorization-policies/${policyId}?version=99`), 404);
    requireRefusal(await configs("/authorization-policies/taken"), 400);
    requireRefusal(
      await configs(`/authorization-policies/taken?project_id=${unknownGid(tenant.projectId)}`),
      404,
    );
    requireRefusal(await configs("/organizations/gid:x"), 404);
  });

  it("hostile texts in names and searches find nothing", async () => {
    await inParallel(hostileTexts.map(encodeURIComponent), async (text) => {
      const named = await configs(`/authorization-policies/${text}?project_id=${tenant.projectId}`);
      requireRefusal(named, 400, 404);
      const searched = await configs(`/authorization-policies?project_id=${tenant.projectId}&search=${text}`);
      requireSound(searched);
      expect(searched.status).toBe(200);
      expect((await configs(`/projects?${text}=${text}&search=${text}`)).status).toBe(200);
    });
  });

  it("any change of a good body is answered soundly, and what is refused is not kept", async () => {
    const value = fc.oneof(
      fc.constantFrom<unknown>(...hostileTexts),
      fc.jsonValue({ maxDepth: 2, stringUnit: "binary" }),
    );
    const change = fc.record({ collection: fc.constantFrom(...collections), place: fc.nat(10), value });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 6, maxLength: 6 }), async (changes) => {
        await Promise.all(
          changes.map(async ({ collection, place, value: other }) => {
            const body = good()[collection] ?? {};
            const keys = Object.keys(body);
            const answer = await create(collection, { ...body, [keys[place % keys.length] ?? ""]: other });
            requireSound(answer);
            if (answer.status === 201)
              requireSound(
                await configs(`/${collection}/${(answer.body as { id: string }).id}`, { method: "DELETE" }),
              );
            else requireRefusal(answer, 404, 409, 422);
          }),
        );
      }),
      { numRuns: 12 },
    );
  });

  it("nothing of all this is kept", requireUnchanged);
});
