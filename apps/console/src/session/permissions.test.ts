import { describe, expect, it } from "@jest/globals";
import { mayCall, mayCallInOrganization } from "./permissions.ts";

const table = { update_project: ["owner", "editor"], read_project: ["owner", "editor", "viewer"] };

describe("what an administrator may do", () => {
  const administrator = {
    roles: [{ role: "viewer" }, { role: "editor", project_id: "gid:a" }],
  } as const;

  it.each([
    ["read_project", "gid:b", true],
    ["update_project", "gid:a", true],
    ["update_project", "gid:b", false],
    ["update_project", undefined, true],
    ["unknown_operation", "gid:a", false],
  ])("%s in %s: %s", (operation, project, expected) => {
    expect(mayCall(table, { ...administrator, roles: [...administrator.roles] }, operation, project)).toBe(
      expected,
    );
  });

  it.each([
    ["read_project", true],
    ["update_project", false],
  ])("%s of the organization: %s", (operation, expected) => {
    expect(mayCallInOrganization(table, { roles: [...administrator.roles] }, operation)).toBe(expected);
  });
});
