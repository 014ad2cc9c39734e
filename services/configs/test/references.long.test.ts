import { describe, expect, it } from "@jest/globals";
import { newGid } from "@ikg/contracts";
import { freshName } from "./tenant.ts";
import { populate } from "./populate.ts";
import { useSamples, configs, tenant, ours, sampleOf, another, leastOf } from "./shared-tenant.ts";

useSamples();

describe("references", () => {
  it("move: what was named before may go, what is named now may not", async () => {
    const { ciq } = ours;
    const text = { project_id: ours.project.id, status: "ACTIVE", policy: ciq.body["policy"] };
    const [one, two] = [
      await tenant.make("/authorization-policies", { ...text, name: freshName() }),
      await tenant.make("/authorization-policies", { ...text, name: freshName() }),
    ];
    const query = sampleOf("/knowledge-queries");
    const made = await tenant.make("/knowledge-queries", { ...query.body(), policy_id: one.id });
    const remove = (id: string) => tenant.send("DELETE", `/authorization-policies/${id}`);
    expect((await remove(one.id)).status).toBe(409);
    const moved = await tenant.send("PUT", `/knowledge-queries/${made.id}`, {
      ...query.change(),
      policy_id: two.id,
    });
    expect(moved.status).toBe(200);
    expect((await remove(one.id)).status).toBe(200);
    const blocked = await remove(two.id);
    expect([blocked.status, blocked.body.errors]).toEqual([
      409,
      [`id: used by knowledge query ${made.name}`],
    ]);
    expect((await tenant.send("GET", `/knowledge-queries/${made.id}?version=1`)).body["policy_id"]).toBe(
      one.id,
    );
  });

  it("are 404 when unknown and 422 when of another project or kind", async () => {
    const elsewhere = await populate(tenant);
    const stranger = await populate(await configs.tenant());
    const { server } = ours;
    const least = leastOf(sampleOf("/mcp-servers"), server.body);
    const put = (change: object) => tenant.send("PUT", `/mcp-servers/${server.id}`, { ...least, ...change });
    for (const [change, status, errors] of [
      [{ app_agent_id: newGid("application_agent") }, 404, ["app_agent_id: not found"]],
      [{ token_introspect_id: newGid("token_introspect") }, 404, ["token_introspect_id: not found"]],
      [{ app_agent_id: stranger.agent.id }, 404, ["app_agent_id: not found"]],
      [
        { app_agent_id: elsewhere.agent.id, token_introspect_id: elsewhere.introspect.id },
        422,
        [
          "app_agent_id: application agent of the same project expected",
          "token_introspect_id: token introspect of the same project expected",
        ],
      ],
      [
        { app_agent_id: ours.introspect.id },
        422,
        ["app_agent_id: gid of a record of kind application agent expected"],
      ],
    ] as const) {
      const answer = await put(change);
      expect([change, answer.status, answer.body.errors]).toEqual([change, status, errors]);
      const created = await tenant.send("POST", "/mcp-servers", {
        ...sampleOf("/mcp-servers").request,
        ...change,
        name: freshName(),
      });
      expect([created.status, created.body.errors]).toEqual([status, errors]);
    }
  });

  it("keep agents and introspects of an MCP server from being removed, alone", async () => {
    const own = await populate(tenant);
    const name = `id: used by mcp server ${own.server.name}`;
    for (const path of [`/application-agents/${own.agent.id}`, `/token-introspects/${own.introspect.id}`]) {
      const blocked = await tenant.send("DELETE", path);
      expect([blocked.status, blocked.body]).toEqual([409, { message: "Conflict", errors: [name] }]);
    }
    // Inside a cascade nothing blocks.
    expect((await tenant.send("DELETE", `/applications/${own.application.id}`)).status).toBe(200);
    expect((await tenant.send("GET", `/mcp-servers/${own.server.id}`)).body).toEqual(own.server.body);
    expect((await tenant.send("DELETE", `/external-data-resolvers/${own.resolver.id}`)).status).toBe(200);
    expect((await tenant.send("DELETE", `/projects/${own.project.id}`)).status).toBe(200);
  });

  it("of queries hold a policy to its kind", async () => {
    const { ciq, kbac } = ours;
    const put = (policy: unknown, status = "ACTIVE") =>
      tenant.send("PUT", `/authorization-policies/${ciq.id}`, { policy, status });
    for (const status of ["ACTIVE", "DRAFT"]) {
      const refused = await put(kbac.body["policy"], status);
      expect([refused.status, refused.body.errors]).toEqual([
        422,
        ["policy: CIQ policy expected, knowledge queries use it"],
      ]);
    }
    const breaking = String(ciq.body["policy"]).replaceAll("price", "other");
    expect((await put(breaking)).status).toBe(200);
    expect((await put("any text", "DRAFT")).status).toBe(200);
    // A draft in between makes it no other policy.
    expect((await put(kbac.body["policy"])).status).toBe(422);
    expect((await put(ciq.body["policy"])).status).toBe(200);
    const free = await tenant.make("/authorization-policies", {
      ...sampleOf("/authorization-policies").body(),
      policy: ciq.body["policy"],
    });
    const turned = await tenant.send("PUT", `/authorization-policies/${free.id}`, {
      policy: kbac.body["policy"],
      status: "ACTIVE",
    });
    expect(turned.status).toBe(200);
  });
});

describe("what a project has once", () => {
  it("moves with an update, and is refused where another has it", async () => {
    const path = "/token-introspects";
    const { sample } = await another(path);
    const [one, two] = [await tenant.make(path, sample.body()), await tenant.make(path, sample.body())];
    const former = one.body["jwt_matcher"];
    const put = (id: string, jwt_matcher: unknown) =>
      tenant.send("PUT", `${path}/${id}`, { jwt_matcher, ikg_node_type: "Person" });
    const clash = await put(two.id, former);
    expect([clash.status, clash.body.errors]).toEqual([
      409,
      ["jwt_matcher: the project has a configuration for this issuer and audience"],
    ]);
    expect((await put(one.id, former)).status).toBe(200);
    expect((await put(one.id, { issuer: "https://new.example", audience: freshName() })).status).toBe(200);
    expect((await put(two.id, former)).status).toBe(200);
    const matcher = { issuer: "https://race.example", audience: freshName() };
    const answers = await Promise.all([put(one.id, matcher), put(two.id, matcher)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.errors).toHaveLength(1);
  });

  it("is one MCP server and one profile per node type", async () => {
    const server = await tenant.send("POST", "/mcp-servers", {
      ...sampleOf("/mcp-servers").request,
      name: freshName(),
    });
    expect([server.status, server.body.errors]).toEqual([409, ["project_id: the project has an MCP server"]]);
    const profile = await tenant.send("POST", "/trust-score-profiles", {
      ...sampleOf("/trust-score-profiles").request,
      name: freshName(),
    });
    expect([profile.status, profile.body.errors]).toEqual([
      409,
      ["node_classification: the project has a profile for this type"],
    ]);
  });
});
