import { describe, expect, it } from "@jest/globals";
import { freshName, type Made } from "./tenant.ts";
import { usePopulation, tenant, ours, another, refused } from "./populated.ts";

usePopulation();

describe("audit signings", () => {
  const path = "/audit-signings";
  const aws = { provider: "CUSTOMER_AWS_KMS", key_resource: "arn:one", kid: "one" };
  const secrets = { region: "eu", secret_access_key: "aws-hidden-value" };
  const masked = { region: "", secret_access_key: "" };
  const put = (made: Made, body: object) => tenant.send("PUT", `${path}/${made.id}`, body);

  it("keep auth_params of the same provider unless they are given, and clear them for {}", async () => {
    const made = await another(path, { ...aws, auth_params: secrets });
    const kept = async () => (await tenant.send("GET", `${path}/${made.id}`)).body["auth_params"];
    for (const auth_params of [undefined, null]) {
      const answer = await put(made, { ...aws, key_resource: "arn:two", auth_params });
      expect([answer.status, answer.body["key_resource"], await kept()]).toEqual([200, "arn:two", masked]);
    }
    expect((await put(made, { ...aws, auth_params: { other: "x" } })).body["auth_params"]).toEqual({
      other: "",
    });
    expect(refused(await put(made, { ...aws, auth_params: { other: "" } }))).toEqual([
      "auth_params.other: 1-256 characters",
    ]);
    expect(await kept()).toEqual({ other: "" });
    expect((await put(made, { ...aws, auth_params: {} })).body["auth_params"]).toEqual({});
    expect((await put(made, aws)).body["auth_params"]).toEqual({});
  });

  it("say every reason at once", async () => {
    const made = await another(path);
    for (const provider of ["CUSTOMER_GCP_KMS", "CUSTOMER_AWS_KMS", "CUSTOMER_AZURE_KEY_VAULT"])
      for (const empty of [{}, { key_resource: "", kid: "" }, { key_resource: null, kid: null }]) {
        const post = { project_id: ours.project.id, name: freshName(), provider, ...empty };
        for (const answer of [await put(made, { provider, ...empty }), await tenant.send("POST", path, post)])
          expect(refused(answer)).toEqual(["key_resource: required", "kid: required"]);
      }
    expect(
      refused(
        await put(made, {
          provider: "PLATFORM_MANAGED",
          key_resource: "a",
          kid: "b",
          auth_params: { c: "d" },
          display_name: "x",
        }),
      ),
    ).toEqual([
      "display_name: 2-254 characters",
      "key_resource: not for PLATFORM_MANAGED",
      "kid: not for PLATFORM_MANAGED",
      "auth_params: not for PLATFORM_MANAGED",
    ]);
    expect(refused(await put(made, { provider: "OWN", kid: "x".repeat(257) }))).toEqual([
      expect.stringMatching(/^provider: one of PLATFORM_MANAGED, /),
      "kid: 1-256 characters",
    ]);
    expect(
      refused(
        await put(made, {
          ...aws,
          auth_params: { "": "x", ["k".repeat(257)]: "x", long: "x".repeat(257), number: 5 },
        }),
      ),
    ).toHaveLength(4);
    const many = Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`k${index}`, "v"]));
    expect(refused(await put(made, { ...aws, auth_params: many }))).toEqual([
      "auth_params: at most 32 entries",
    ]);
    for (const auth_params of [[], "text", 5])
      expect(refused(await put(made, { ...aws, auth_params }))).toEqual(["auth_params: object expected"]);
    expect(
      refused(await tenant.send("POST", path, { project_id: ours.project.id, name: freshName() })),
    ).toEqual(["provider: required"]);
  });

  it("may be several in a project", async () => {
    await another(path);
    await another(path, { provider: "PLATFORM_MANAGED", key_resource: "", kid: "", auth_params: {} });
  });
});
