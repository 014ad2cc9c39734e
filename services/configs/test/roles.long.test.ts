import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { newGid, roles } from "@ikg/contracts";
import { type ConfigsUnderTest, startConfigs } from "./configs-under-test.ts";
import { freshName, type Made, type Tenant } from "./tenant.ts";

let configs: ConfigsUnderTest;
let tenant: Tenant;

beforeAll(async () => {
  configs = await startConfigs();
  tenant = await configs.tenant();
});
afterAll(() => configs.close());

const account = (): Promise<Made> =>
  tenant.make("/service-accounts", { organization_id: tenant.organization, name: freshName() });

describe("role bindings", () => {
  it("are validated", async () => {
    const claim = { claim: "groups", value: "security" };
    const { id } = await account();
    const either = "subject: service_account_id, or claim and value, expected";
    for (const [body, status, errors] of [
      [{ role: "viewer" }, 422, ["subject: required"]],
      [{ subject: {}, role: "viewer" }, 422, [either]],
      [{ subject: { claim: "groups" }, role: "viewer" }, 422, [either]],
      [{ subject: { ...claim, service_account_id: id }, role: "viewer" }, 422, [either]],
      [{ subject: claim, role: "all_viewer" }, 422, [`role: one of ${roles.join(", ")}`]],
      [{ subject: claim, role: "viewer", project_id: newGid("project") }, 404, ["project_id: not found"]],
      [
        { subject: { service_account_id: newGid("service_account") }, role: "viewer" },
        404,
        ["subject.service_account_id: not found"],
      ],
    ] as const)
      expect(await tenant.send("POST", "/role-bindings", body)).toMatchObject({ status, body: { errors } });
  });

  it("go with their service account and with their project", async () => {
    const [one, two] = [await tenant.project(), await account()];
    const owner = tenant.granted({ owner: [one.id] });
    const subject = { service_account_id: two.id };
    const ofProject = await tenant.make("/role-bindings", {
      subject: { claim: "groups", value: "x" },
      role: "owner",
      project_id: one.id,
    });
    const ofBoth = await tenant.make("/role-bindings", { subject, role: "viewer", project_id: one.id });
    const ofAccount = await tenant.make("/role-bindings", { subject, role: "viewer" });
    const status = async ({ id }: Made) => (await tenant.send("GET", `/role-bindings/${id}`)).status;
    expect((await owner.send("DELETE", `/projects/${one.id}`)).status).toBe(200);
    expect([await status(ofProject), await status(ofBoth), await status(ofAccount)]).toEqual([404, 404, 200]);
    expect((await tenant.send("DELETE", `/service-accounts/${two.id}`)).status).toBe(200);
    expect(await status(ofAccount)).toBe(404);
  });

  it("are not part of a project's export", async () => {
    const at = await tenant.project();
    await tenant.make("/role-bindings", {
      subject: { claim: "groups", value: "x" },
      role: "viewer",
      project_id: at.id,
    });
    expect((await tenant.send("GET", `/export?project_id=${at.id}`)).body["records"]).not.toContainEqual(
      expect.objectContaining({ collection: "role-bindings" }),
    );
  });
});
