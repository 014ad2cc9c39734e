import { describe, expect, it } from "@jest/globals";
import { callerName, grantsOf, reaches, reachFor, reachOf, roleMissing } from "./administration.ts";
import type { ServiceAccountCaller, UserCaller } from "./caller.ts";
import { type Gid, newGid } from "./gid.ts";
import { administratorAccess, operations } from "./operations.ts";
import { roles, tableRoles } from "./roles.ts";

const [org, one, two] = [newGid("organization"), newGid("project"), newGid("project")];

const account = (more: Partial<ServiceAccountCaller> = {}): ServiceAccountCaller => ({
  kind: "service_account",
  credential_kid: "kid",
  org,
  service_account: newGid("service_account"),
  ...more,
});
const person = (grants: UserCaller["grants"]): UserCaller => ({
  kind: "user",
  org,
  issuer: "i",
  sub: "s",
  grants,
});

describe("the roles of an administrator", () => {
  it("are those of the record and of role bindings together", () => {
    expect(grantsOf(account())).toEqual({});
    expect(grantsOf(account({ role: "all_editor" }))).toEqual({ owner: [org] });
    expect(grantsOf(account({ role: "all_viewer", grants: { editor: [one] } }))).toEqual({
      all_viewer: [org],
      editor: [one],
    });
    expect(grantsOf(account({ role: "all_editor", grants: { owner: [one] } }))).toEqual({
      owner: [org, one],
    });
  });

  it("reach the organization with its projects, or projects", () => {
    const editor = person({ editor: [one], viewer: [org] });
    expect(reachOf(editor, ["editor"])).toEqual([one]);
    expect(reachOf(editor, ["editor", "viewer"])).toBe("organization");
    expect(reachOf(editor, ["owner"])).toEqual([]);
    const projects: readonly (Gid | undefined)[] = [undefined, one, two];
    expect(projects.map((project) => reaches([one], project))).toEqual([false, true, false]);
    expect(projects.map((project) => reaches("organization", project))).toEqual([true, true, true]);
  });

  it("of another organization's gid reach nothing of it", () => {
    expect(reachOf(person({ owner: [newGid("organization")] }), ["owner"])).not.toBe("organization");
  });

  it("open a dry run to more than the call", () => {
    const access = administratorAccess("apply_changes");
    expect(access && reachFor(person({ viewer: [one] }), access)).toEqual([one]);
    expect(access?.roles).not.toContain("viewer");
  });
});

describe("an administrator who may not", () => {
  it("has the text of before, where the account is a viewer and nothing else", () => {
    expect(roleMissing(account({ role: "all_viewer" })).code).toBe("role_read_only");
    expect(roleMissing(account({ role: "all_viewer", grants: { editor: [one] } })).code).toBe("role_missing");
    expect(roleMissing(account()).code).toBe("role_missing");
    expect(roleMissing(person({ viewer: [org] })).code).toBe("role_missing");
  });

  it("has a name for limits and records", () => {
    expect([callerName(account()), callerName(person({}))]).toEqual(["kid", "i#s"]);
  });
});

describe("the table of role and operation", () => {
  const access = operations.flatMap(({ operation, access: each }) =>
    each.credential === "client_key" ? [] : [[operation, each.roles] as const],
  );

  it("lets owners do everything, and only them give roles", () => {
    expect(access.filter(([, allowed]) => !allowed.includes("owner"))).toEqual([]);
    const giving = access.filter(([operation]) => /role_binding$|role_bindings$/.test(operation));
    expect(
      giving.filter(([operation]) => /^(?:create|delete)/.test(operation)).map(([, allowed]) => allowed),
    ).toEqual([["owner"], ["owner"]]);
  });

  it("has every role somewhere, and `all_viewer` wherever there is `viewer`", () => {
    for (const role of tableRoles) expect(access.some(([, allowed]) => allowed.includes(role))).toBe(true);
    expect(roles).not.toContain("all_viewer");
    expect(
      access.filter(([, allowed]) => allowed.includes("viewer") && !allowed.includes("all_viewer")),
    ).toEqual([]);
  });
});
