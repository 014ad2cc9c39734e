import { beforeAll, describe, expect, it } from "@jest/globals";
import { hashCredential, parseCredential } from "@ikg/auth";
import { freshName, type Made } from "./tenant.ts";
import { configs, ours, tenant, useProjectWithAgent } from "./project-with-agent.ts";

useProjectWithAgent();

const path = "/application-agent-credentials";

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

describe("the token of a service account", () => {
  const path = "/service-account-credentials";
  let account: Made;

  beforeAll(async () => {
    account = await tenant.make("/service-accounts", {
      organization_id: tenant.organization,
      name: freshName(),
      role: "all_viewer",
    });
  });

  const issue = (more: object = {}): Promise<Made> =>
    tenant.make(path, { service_account_id: account.id, ...more });
  const expiryOf = async ({ id }: Made): Promise<unknown> =>
    (await tenant.send("GET", `${path}/${id}`)).body["expire_time"];
  const hours = (count: number): number => count * 3_600_000;

  it("is shown once, and goes with its account", async () => {
    const deleted = await tenant.make("/service-accounts", {
      organization_id: tenant.organization,
      name: freshName(),
      role: "all_editor",
    });
    const made = await tenant.make(path, { service_account_id: deleted.id });
    const { token, ...rest } = made.body["service_account_config"] as Record<string, string>;
    expect(rest).toEqual({ baseUrl: "https://ikg.example", serviceAccountId: deleted.id });
    expect(token).toMatch(/^sa1_[0-9a-z]{16}_[\w-]{43}_[0-9a-f]{8}$/);
    expect(made.body["display_name"]).toBe(made.body["kid"]);
    const seen = [
      (await tenant.send("GET", `${path}/${made.id}`)).text,
      (await tenant.send("GET", `${path}?organization_id=${tenant.organization}`)).text,
    ].join();
    expect(seen).toContain(made.body["kid"]);
    expect(seen).not.toContain(token);
    expect(seen).not.toContain("service_account_config");
    expect((await tenant.send("DELETE", `/service-accounts/${deleted.id}`)).status).toBe(200);
    expect((await tenant.send("GET", `${path}/${made.id}`)).status).toBe(404);
    expect((await configs.changesOf(made.id, 2)).map((change) => change["action"])).toEqual([
      "created",
      "deleted",
    ]);
  });

  it("is replaced by another one, with an overlap", async () => {
    const first = await issue();
    const started = Date.now();
    const second = await issue({ replaces: first.id, overlap_seconds: 3_600 });
    expect(second.body).toMatchObject({ replaces: first.id, overlap_seconds: 3_600 });
    const end = Date.parse(String(await expiryOf(first)));
    expect(end - started).toBeGreaterThanOrEqual(hours(1) - 1_000);
    expect(end - started).toBeLessThan(hours(1) + 30_000);
    // A replacement never prolongs.
    await issue({ replaces: first.id, overlap_seconds: 86_400 });
    expect(Date.parse(String(await expiryOf(first)))).toBe(end);
    const third = await issue({ replaces: second.id });
    expect(Date.parse(String(await expiryOf(second))) - Date.now()).toBeGreaterThan(hours(23));
    expect(await expiryOf(third)).toBeUndefined();
  });

  it("replaces none of another account, and says what is wrong", async () => {
    const other = await tenant.make("/service-accounts", {
      organization_id: tenant.organization,
      name: freshName(),
    });
    const theirs = await tenant.make(path, { service_account_id: other.id });
    for (const [body, errors] of [
      [{ replaces: theirs.id }, ["replaces: credential of the same service account expected"]],
      [{ overlap_seconds: 60 }, ["overlap_seconds: only with replaces"]],
      [
        { replaces: theirs.id, overlap_seconds: 59 },
        ["overlap_seconds: integer from 60 to 31536000 expected"],
      ],
    ] as const)
      expect(await tenant.send("POST", path, { service_account_id: account.id, ...body })).toMatchObject({
        status: 422,
        body: { errors },
      });
    expect(await expiryOf(theirs)).toBeUndefined();
  });
});
