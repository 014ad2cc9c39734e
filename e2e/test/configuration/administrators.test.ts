import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { IkgAdmin, type IkgError } from "@ikg/client";
import { createTestProject, type TestProject } from "@ikg/client/testing";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { environment } from "../../src/environment.ts";
import { freshName } from "../../src/fresh-name.ts";

/** /configs/v1/administrators/current: who calls, and with which roles. */
const address = () => ({ baseUrl: environment().base_url, token: environment().service_account_token });

let project: TestProject;
let accountId: string;
let token: string;
const name = freshName("caller");

beforeAll(async () => {
  project = await createTestProject({ ...address(), name: "administrators" });
  const admin = new IkgAdmin(address());
  ({ id: accountId } = await admin.serviceAccounts.create({ name }));
  const created = await admin.serviceAccountCredentials.create({ service_account_id: accountId });
  token = created.service_account_config?.token ?? "";
}, 30_000);
afterAll(async () => {
  await new IkgAdmin(address()).serviceAccounts.delete(accountId);
  await project?.remove();
});

describe("the current administrator", () => {
  it("is the owner of the organization with the first token", async () => {
    expect(await new IkgAdmin(address()).administrator()).toEqual({
      type: "service_account",
      id: expect.stringMatching(/^gid:/),
      name: "bootstrap",
      organization_id: environment().organization_id,
      roles: [{ role: "owner" }],
    });
  });

  it("has the roles of its bindings, each with its project; without one it is no administrator", async () => {
    const admin = new IkgAdmin({ baseUrl: environment().base_url, token });
    const refusal = await admin.administrator().catch((error: IkgError) => error);
    expect(refusal).toMatchObject({ status: 403, code: "role_missing" });
    const subject = { service_account_id: accountId };
    await project.admin.roleBindings.create({ subject, role: "policy_author", project_id: project.id });
    await project.admin.roleBindings.create({ subject, role: "auditor" });
    const roles = await eventually(
      () =>
        admin.administrator().then(
          (own) => own.roles,
          () => undefined,
        ),
      (own) => (JSON.stringify(own) ?? "").includes("auditor"),
      { withinMs: 5_000, everyMs: 0 },
    );
    expect(roles).toEqual([{ role: "policy_author", project_id: project.id }, { role: "auditor" }]);
    // None of them reads the graph.
    const refused = await admin.graph
      .nodes({ project: project.id })
      .toArray()
      .catch((error: IkgError) => error);
    expect(refused).toMatchObject({ status: 403, code: "role_missing" });
  });

  it("is known by a credential alone", async () => {
    const stranger = new IkgAdmin({ baseUrl: environment().base_url, token: "ikg_sa_wrong" });
    const refusal = await stranger.administrator().catch((error: IkgError) => error);
    expect(refusal).toMatchObject({ status: 401 });
  });
});
