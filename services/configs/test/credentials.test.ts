import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { hashCredential, parseCredential } from "@ikg/auth";
import { type ConfigsUnderTest, startConfigs } from "./configs-under-test.ts";
import { type Tenant } from "./tenant.ts";
import { createAgent, type ProjectWithAgent } from "./populate.ts";

let configs: ConfigsUnderTest;
let tenant: Tenant;
let ours: ProjectWithAgent;
const path = "/application-agent-credentials";

beforeAll(async () => {
  configs = await startConfigs();
  tenant = await configs.tenant();
  ours = await createAgent(tenant);
});
afterAll(() => configs.close());

const config = (body: Record<string, unknown>): Record<string, string> =>
  body["application_agent_config"] as Record<string, string>;

describe("application agent credentials", () => {
  it("show the key once", async () => {
    const made = await tenant.make(path, { application_agent_id: ours.agent.id });
    const { token, ...rest } = config(made.body);
    expect(rest).toEqual({
      baseUrl: "https://ikg.example",
      appSpaceId: ours.project.id,
      applicationId: ours.application.id,
      appAgentId: ours.agent.id,
    });
    expect(parseCredential(token ?? "")).toEqual({ prefix: "ak1", kid: made.body["kid"] });
    expect(made.body["display_name"]).toBe(made.body["kid"]);
    const secret = token?.split("_").slice(2).join("_") ?? "";
    const seen = [
      (await tenant.send("GET", `${path}/${made.id}`)).text,
      (await tenant.send("GET", `${path}?project_id=${ours.project.id}&full_fetch=true`)).text,
      JSON.stringify(await configs.changesOf(made.id, 1)),
      JSON.stringify(await stored(made.id)),
    ].join();
    expect(seen).toContain(made.body["kid"]);
    expect(seen).not.toContain(secret);
    expect(seen).not.toContain("application_agent_config");
  });

  const stored = async (id: string): Promise<Record<string, unknown>> => {
    const [row] = await configs.graph.shared.read(
      "MATCH (r:_Record {id: $id}) RETURN properties(r) AS properties, labels(r) AS labels",
      { id },
      { timeoutMs: 80_000 },
    );
    return row?.["properties"] as Record<string, unknown>; // the statement's own column
  };

  it("are stored as a hash with what the look-up needs", async () => {
    const made = await tenant.make(path, {
      application_agent_id: ours.agent.id,
      expire_time: "2099-01-01T00:00:00+02:00",
    });
    expect(await stored(made.id)).toMatchObject({
      kid: made.body["kid"],
      token_hash: hashCredential(config(made.body)["token"] ?? "", configs.pepper),
      expire_time: "2098-12-31T22:00:00.000Z",
      agent_id: ours.agent.id,
    });
    expect(made.body["expire_time"]).toBe("2098-12-31T22:00:00.000Z");
    expect(made.body).not.toHaveProperty("name");
    expect((await tenant.send("GET", `${path}/${made.id}`)).text).not.toContain("token_hash");
  });

  it("have no expiry unless one is given, and never a past one", async () => {
    const made = await tenant.make(path, { application_agent_id: ours.agent.id, expire_time: null });
    expect(made.body).not.toHaveProperty("expire_time");
    for (const expire_time of ["2020-01-01T00:00:00Z", new Date().toISOString()]) {
      const answer = await tenant.send("POST", path, { application_agent_id: ours.agent.id, expire_time });
      expect([answer.status, answer.body.errors]).toEqual([422, ["expire_time: must be in the future"]]);
    }
    for (const expire_time of [
      "2099-01-01",
      "2099-01-01T00:00:00",
      "2099-02-30T00:00:00Z",
      "",
      5,
      "tomorrow",
    ]) {
      const answer = await tenant.send("POST", path, { application_agent_id: ours.agent.id, expire_time });
      expect([expire_time, answer.status]).toEqual([expire_time, 422]);
    }
  });

  it("are ten alive at most, counted even when they are made at once", async () => {
    const agent = await tenant.make("/application-agents", {
      application_id: ours.application.id,
      name: "busy-agent",
      api_permissions: ["Capture"],
    });
    const later = "2099-01-01T00:00:00.000Z";
    const first = await tenant.make(path, { application_agent_id: agent.id, expire_time: later });
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => tenant.send("POST", path, { application_agent_id: agent.id })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(9);
    expect(answers.find(({ status }) => status === 409)?.body).toEqual({
      message: "Conflict",
      errors: ["application_agent_id: at most 10 may be live"],
    });
    // As if the time had come.
    const expire =
      "MATCH (r:_Record {id: $id, expire_time: $later}) SET r.expire_time = $now RETURN r.id AS id";
    const params = { id: first.id, later, now: new Date().toISOString() };
    const edited = await configs.graph.shared.write((tx) => tx.run(expire, params), { timeoutMs: 80_000 });
    expect(edited).toHaveLength(1);
    expect((await tenant.send("POST", path, { application_agent_id: agent.id })).status).toBe(201);
    expect((await tenant.send("POST", path, { application_agent_id: agent.id })).status).toBe(409);
    expect((await tenant.send("GET", `${path}/${first.id}`)).status).toBe(200);
    expect((await tenant.send("DELETE", `${path}/${first.id}`)).status).toBe(200);
    expect((await tenant.send("POST", path, { application_agent_id: agent.id })).status).toBe(409);
  });

  it("are announced with their key id", async () => {
    const made = await tenant.make(path, { application_agent_id: ours.agent.id, public_key_pem: "ignored" });
    await tenant.send("DELETE", `${path}/${made.id}`);
    expect(await configs.changesOf(made.id, 2)).toEqual(
      ["created", "deleted"].map((action) => ({
        kind: "application_agent_credential",
        id: made.id,
        organization_id: tenant.organization,
        project_id: ours.project.id,
        kid: made.body["kid"],
        action,
      })),
    );
  });
});
