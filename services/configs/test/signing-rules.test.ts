import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { auditKeyKey, auditKeyLabel } from "@ikg/physical";
import { type ConfigsUnderTest, startConfigs } from "./configs-under-test.ts";
import { freshName, type Made, type Tenant } from "./tenant.ts";
import { recordIn } from "./populate.ts";
import { refused } from "./populated.ts";

let configs: ConfigsUnderTest;
let tenant: Tenant;
let project: Made;

beforeAll(async () => {
  configs = await startConfigs();
  tenant = await configs.tenant();
  project = await tenant.project();
});
afterAll(() => configs.close());

describe("audit signings", () => {
  const path = "/audit-signings";
  const aws = { provider: "CUSTOMER_AWS_KMS", key_resource: "arn:one", kid: "one" };
  const secrets = { region: "eu", secret_access_key: "aws-hidden-value" };
  const masked = { region: "", secret_access_key: "" };
  const make = (fields: object): Promise<Made> =>
    tenant.make(path, { project_id: project.id, name: freshName(), ...fields });
  const put = (made: Made, body: object) => tenant.send("PUT", `${path}/${made.id}`, body);

  it("show keys of auth_params and no value, in answers, lists and versions", async () => {
    const made = await make({ ...aws, auth_params: secrets });
    const second = await put(made, { ...aws, auth_params: { ...secrets, more: "aws-hidden-too" } });
    const answers = [
      made.body,
      second.body,
      (await tenant.send("GET", `${path}/${made.id}`)).body,
      (await tenant.send("GET", `${path}/${made.id}?version=1`)).body,
      (await tenant.send("GET", `${path}/${made.name}?project_id=${project.id}&version=2`)).body,
    ];
    expect(answers.map((body) => body["auth_params"])).toEqual([
      masked,
      { ...masked, more: "" },
      { ...masked, more: "" },
      masked,
      { ...masked, more: "" },
    ]);
    const list = await tenant.send("GET", `${path}?project_id=${project.id}`);
    expect(list.body["data"]).toContainEqual(recordIn(second.body));
    for (const text of [JSON.stringify(answers), list.text, JSON.stringify(configs.changes)])
      expect(text).not.toContain("aws-hidden");
  });

  it("refuse another key under a name that has signed, and take the same one", async () => {
    const made = await make(aws);
    const key = auditKeyKey(project.id, "signed");
    const run = (text: string) =>
      configs.graph.shared.write((tx) => tx.run(text, { key }), { timeoutMs: 80_000 });
    await run(`CREATE (:${auditKeyLabel} {key: $key, key_resource: 'arn:signed'})`);
    try {
      const reused = { ...aws, kid: "signed" };
      expect(refused(await put(made, { ...reused, key_resource: "arn:other" }))).toEqual([
        "kid: has signed records with another key_resource",
      ]);
      expect((await put(made, { ...reused, key_resource: "arn:signed" })).status).toBe(200);
      // A name that never signed may mean anything.
      expect((await put(made, { ...aws, kid: "fresh", key_resource: "arn:other" })).status).toBe(200);
    } finally {
      await run(`MATCH (k:${auditKeyLabel} {key: $key}) DELETE k`);
    }
  });

  it("drop everything of the former provider", async () => {
    const made = await make({ ...aws, auth_params: secrets });
    const gcp = { provider: "CUSTOMER_GCP_KMS", key_resource: "projects/x", kid: "two" };
    const moved = await put(made, gcp);
    expect(moved.body).toMatchObject(gcp);
    expect(moved.body).not.toHaveProperty("auth_params");
    await put(made, { ...gcp, auth_params: { json: "gcp-hidden" } });
    const platform = await put(made, {
      provider: "PLATFORM_MANAGED",
      key_resource: "",
      kid: null,
      auth_params: {},
    });
    expect([platform.status, platform.body.errors]).toEqual([200, undefined]);
    for (const field of ["key_resource", "kid"]) expect(platform.body).not.toHaveProperty(field);
    expect(platform.body["auth_params"] ?? {}).toEqual({});
    expect((await put(made, { provider: "PLATFORM_MANAGED" })).body).toMatchObject({
      provider: "PLATFORM_MANAGED",
    });
    const back = await put(made, gcp);
    expect(back.body["auth_params"] ?? {}).toEqual({});
  });
});
