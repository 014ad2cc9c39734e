import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type Gid, type Role, roles } from "@ikg/contracts";
import { isLongRun } from "../../../stack/src/testing/test-environment.ts";
import { type ConfigsUnderTest, startConfigs } from "./configs-under-test.ts";
import { freshName, type Made, type Tenant } from "./tenant.ts";

let configs: ConfigsUnderTest;
let tenant: Tenant;
let project: Made;
let other: Made;

beforeAll(async () => {
  configs = await startConfigs();
  tenant = await configs.tenant();
  project = await tenant.project();
  other = await tenant.project();
});
afterAll(() => configs.close());

const over = (role: Role, ...scopes: readonly Gid[]): Tenant => tenant.granted({ [role]: [...scopes] });
const account = (role?: string): Promise<Made> =>
  tenant.make("/service-accounts", {
    organization_id: tenant.organization,
    name: freshName(),
    ...(role === undefined ? {} : { role }),
  });
const bind = (by: Tenant, body: object) => by.send("POST", "/role-bindings", body);
const application = (by: Tenant, at: Made) =>
  by.send("POST", "/applications", { project_id: at.id, name: freshName() });

describe("a role over a project", () => {
  it("counts there alone", async () => {
    const editor = over("editor", project.id);
    const made = await application(editor, project);
    expect(made.status).toBe(201);
    const elsewhere = await application(editor, other);
    expect([elsewhere.status, elsewhere.body]).toEqual([
      403,
      { message: "the caller has no role that permits this operation" },
    ]);
    const theirs = await tenant.make("/applications", { project_id: other.id, name: freshName() });
    for (const method of ["GET", "PUT", "DELETE"])
      expect([
        method,
        (await editor.send(method, `/applications/${theirs.id}`, method === "PUT" ? {} : undefined)).status,
      ]).toEqual([method, 403]);
    const body = { organization_id: tenant.organization, name: freshName() };
    expect((await editor.send("POST", "/projects", body)).status).toBe(403);
    expect((await editor.send("PUT", `/projects/${project.id}`, { display_name: "Ours" })).status).toBe(200);
    expect((await editor.send("DELETE", `/projects/${project.id}`)).status).toBe(403);
  });

  it("shows in lists what it reaches", async () => {
    const viewer = over("viewer", project.id);
    const ids = async (path: string): Promise<unknown[]> =>
      ((await viewer.send("GET", path)).body["data"] as { id: string; project_id?: string }[]).map(
        ({ id, project_id }) => project_id ?? id,
      );
    await tenant.make("/applications", { project_id: other.id, name: freshName() });
    expect(await ids("/projects")).toEqual([project.id]);
    expect(new Set(await ids("/applications"))).toEqual(new Set([project.id]));
    expect((await viewer.send("GET", `/applications?project_id=${other.id}`)).status).toBe(403);
    expect((await viewer.send("GET", "/service-accounts")).status).toBe(403);
    expect((await viewer.send("GET", "/organizations/current")).status).toBe(200);
  });

  it("does not tell which names are in use where it does not count", async () => {
    const viewer = over("viewer", project.id);
    const inUse = await tenant.make("/applications", { project_id: other.id, name: freshName() });
    const { name: ofAccount } = await account();
    const statuses = (as: Tenant, paths: readonly string[]): Promise<readonly number[]> =>
      Promise.all(paths.map(async (path) => (await as.send("GET", path)).status));
    const paths = [
      ...[inUse.name, freshName()].map((name) => `/applications/${name}?project_id=${other.id}`),
      ...[other.name, freshName()].map((name) => `/projects/${name}`),
      ...[ofAccount, freshName()].map((name) => `/service-accounts/${name}`),
    ];
    expect(await statuses(viewer, paths)).toEqual([403, 403, 404, 404, 404, 404]);
    expect(await statuses(tenant, paths)).toEqual([200, 404, 200, 404, 200, 404]);
    expect(await statuses(viewer, [`/projects/${project.name}`])).toEqual([200]);
  });

  it("does not reach change sets, exports and versions of another one", async () => {
    const author = over("policy_author", project.id);
    const change = (at: Made) => ({
      project_id: at.id,
      changes: [{ op: "delete", collection: "authorization-policies", name: "none" }],
    });
    expect((await author.send("POST", "/changes", change(project))).status).toBe(422);
    expect((await author.send("POST", "/changes", change(other))).status).toBe(403);
    expect((await author.send("POST", "/changes?dry_run=true", change(other))).status).toBe(403);
    expect((await author.send("GET", `/changes?project_id=${other.id}`)).status).toBe(403);
    expect((await author.send("GET", `/export?project_id=${other.id}`)).status).toBe(403);
    expect((await author.send("GET", `/export?project_id=${project.id}`)).status).toBe(200);
    const viewer = over("viewer", project.id);
    expect((await viewer.send("POST", "/changes", change(project))).status).toBe(403);
    expect((await viewer.send("POST", "/changes?dry_run=true", change(project))).status).toBe(422);
  });
});

describe("role bindings", () => {
  it("are given by owners, within what they own", async () => {
    const subject = { service_account_id: (await account()).id };
    const scopes = isLongRun() ? [tenant.organization, project.id] : [tenant.organization];
    for (const role of roles.filter((each) => each !== "owner"))
      for (const scope of scopes)
        expect([
          role,
          (await bind(over(role, scope), { subject, role: "viewer", project_id: project.id })).status,
        ]).toEqual([role, 403]);
    const owner = over("owner", project.id);
    const made = await bind(owner, { subject, role: "owner", project_id: project.id });
    expect([made.status, made.body]).toEqual([
      201,
      {
        id: expect.any(String),
        organization_id: tenant.organization,
        project_id: project.id,
        subject,
        role: "owner",
        create_time: expect.any(String),
        created_by: expect.any(String),
      },
    ]);
    expect((await bind(owner, { subject, role: "viewer" })).status).toBe(403);
    expect((await bind(owner, { subject, role: "viewer", project_id: other.id })).status).toBe(403);
    expect((await bind(tenant, { subject, role: "owner", project_id: project.id })).status).toBe(409);
    const id = String(made.body["id"]);
    expect((await over("owner", other.id).send("DELETE", `/role-bindings/${id}`)).status).toBe(403);
    expect((await owner.send("GET", `/role-bindings/${id}`)).status).toBe(200);
    expect((await owner.send("DELETE", `/role-bindings/${id}`)).status).toBe(200);
    expect((await configs.changesOf(id, 2)).map(({ kind, action }) => [kind, action])).toEqual([
      ["role_binding", "created"],
      ["role_binding", "deleted"],
    ]);
  });

  it("are for no project of another organization", async () => {
    const elsewhere = await (await configs.tenant()).project();
    const subject = { claim: "groups", value: "security" };
    expect((await bind(tenant, { subject, role: "viewer", project_id: elsewhere.id })).status).toBe(404);
  });
});

describe("permissions of an agent", () => {
  const opening = ["Authorization", "ReadDataSchema", "ReadGraph", "Audit"] as const;
  let home: Made;
  beforeAll(async () => {
    home = await tenant.make("/applications", { project_id: project.id, name: freshName() });
  });
  const agent = (by: Tenant, ...permissions: readonly string[]) =>
    by.send("POST", "/application-agents", {
      application_id: home.id,
      name: freshName(),
      api_permissions: permissions,
    });
  const statuses = (by: Tenant): Promise<readonly number[]> =>
    Promise.all(opening.map(async (permission) => (await agent(by, "Capture", permission)).status));

  it("are given by who may do what they permit", async () => {
    const editor = [project.id];
    expect(await statuses(over("owner", project.id))).toEqual([201, 201, 201, 201]);
    expect(await statuses(over("editor", project.id))).toEqual([201, 201, 403, 403]);
    expect(await statuses(tenant.granted({ editor, data_viewer: editor }))).toEqual([201, 201, 201, 403]);
    expect(await statuses(tenant.granted({ editor, auditor: [other.id] }))).toEqual([201, 201, 403, 403]);
    const refusal = await agent(over("editor", project.id), "Audit");
    expect(refusal.body["message"]).toBe(
      "the caller has no role that permits what an agent with Audit may do",
    );
  });

  it("are given by a change and by a key of the agent as well", async () => {
    const editor = over("editor", project.id);
    const change = (id: unknown, ...permissions: readonly string[]) =>
      editor.send("PUT", `/application-agents/${String(id)}`, { api_permissions: permissions });
    const key = async (by: Tenant, id: unknown): Promise<number> =>
      (await by.send("POST", "/application-agent-credentials", { application_agent_id: id })).status;
    const ofCapture = (await agent(editor, "Capture")).body["id"];
    expect(await key(editor, ofCapture)).toBe(201);
    expect((await change(ofCapture, "Capture", "Audit")).status).toBe(403);
    expect((await change(ofCapture, "ContXIQ")).status).toBe(200);
    const ofAudit = (await agent(tenant, "Audit")).body["id"];
    expect(await key(editor, ofAudit)).toBe(403);
    expect(await key(tenant.granted({ editor: [project.id], auditor: [project.id] }), ofAudit)).toBe(201);
    // What it has stays, and may be taken away.
    expect((await change(ofAudit, "Audit", "Capture")).status).toBe(200);
    expect((await change(ofAudit, "Capture")).status).toBe(200);
    expect(await key(editor, ofAudit)).toBe(201);
  });
});

describe("the last owner", () => {
  it("stays, and so does its role", async () => {
    const lone = await configs.tenant();
    const remove = (id: string) => lone.send("DELETE", `/service-accounts/${id}`);
    expect(await remove(lone.account)).toMatchObject({
      status: 409,
      body: { errors: ["id: the last service account that owns the organization cannot be removed"] },
    });
    // A claim that may belong to no person is no owner.
    await lone.make("/role-bindings", { subject: { claim: "groups", value: "x" }, role: "owner" });
    expect((await remove(lone.account)).status).toBe(409);
    const next = await lone.make("/service-accounts", {
      organization_id: lone.organization,
      name: freshName(),
    });
    const binding = await lone.make("/role-bindings", {
      subject: { service_account_id: next.id },
      role: "owner",
    });
    expect((await remove(lone.account)).status).toBe(200);
    expect((await remove(next.id)).status).toBe(409);
    expect((await lone.send("DELETE", `/role-bindings/${binding.id}`)).status).toBe(409);
  });

  it("is not lost by two who remove each other at the same time", async () => {
    const pair = await configs.tenant();
    const second = await pair.make("/service-accounts", {
      organization_id: pair.organization,
      name: freshName(),
      role: "all_editor",
    });
    const statuses = await Promise.all(
      [pair.account, second.id].map(
        async (id) => (await pair.send("DELETE", `/service-accounts/${id}`)).status,
      ),
    );
    expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 409]);
  });
});

describe("a person", () => {
  it("is named as the author of a record, and has the roles of its context", async () => {
    const [issuer, sub] = ["https://login.example", "ann"];
    const person = (grants: object) =>
      tenant.by({ kind: "user", org: tenant.organization, issuer, sub, name: "Ann", grants });
    const made = await application(person({ editor: [project.id] }), project);
    expect([made.status, made.body["created_by"]]).toEqual([201, `${issuer}#${sub}`]);
    expect((await application(person({ viewer: [project.id] }), project)).status).toBe(403);
  });
});
