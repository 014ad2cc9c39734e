import { describe, expect, it } from "@jest/globals";
import { newGid, type Role } from "@ikg/contracts";
import { bindingOf, bindingsIn, grantsOfBindings, type RoleBinding } from "./role-bindings.ts";

const organization = newGid("organization");
const over = (role: Role, project?: RoleBinding["project"]): RoleBinding => ({
  role,
  project,
  claim: undefined,
  value: undefined,
});

describe("role bindings", () => {
  it("become roles by where they count", () => {
    const [one, two] = [newGid("project"), newGid("project")];
    expect(
      grantsOfBindings(
        [over("viewer", one), over("viewer", two), over("viewer", one), over("auditor")],
        organization,
      ),
    ).toEqual({ viewer: [one, two].sort(), auditor: [organization] });
    expect(grantsOfBindings([over("editor", one), over("editor")], organization)).toEqual({
      editor: [organization],
    });
    expect(grantsOfBindings([], organization)).toEqual({});
  });

  it("that cannot be read give nothing", () => {
    const texts = ['{"role":', null, '{"role":"viewer"}'];
    expect(bindingsIn(texts.map((text) => [text, null]))).toEqual([over("viewer")]);
  });

  it("beyond 150 projects give nothing, so that a context fits into a header", () => {
    const many = Array.from({ length: 200 }, () => over("viewer", newGid("project")));
    const { viewer = [], auditor } = grantsOfBindings([...many, over("auditor")], organization);
    expect([viewer.length, auditor]).toEqual([150, [organization]]);
    const owned = Array.from({ length: 150 }, () => newGid("project")).sort();
    const owner = owned.map((project) => over("owner", project));
    expect(grantsOfBindings([...owner, over("editor"), ...many], organization)).toEqual({
      owner: owned,
      editor: [organization],
    });
  });

  it("of roles that this release does not know give nothing", () => {
    expect(bindingOf({ role: "emperor", subject: {} }, null)).toBeUndefined();
    expect(bindingOf({ role: "all_viewer", subject: {} }, null)).toBeUndefined();
    expect(bindingOf({ role: "owner", subject: { claim: "groups", value: "x" } }, null)).toEqual({
      role: "owner",
      project: undefined,
      claim: "groups",
      value: "x",
    });
  });
});
