import { describe, expect, it } from "@jest/globals";
import { operations } from "./operations.ts";
import { grantorRoles } from "./permission-roles.ts";

describe("roles that give a permission", () => {
  it("may call every operation that the permission opens to agents and administrators", () => {
    const opened = operations.flatMap(({ operation, access }) =>
      access.credential === "either" ? [{ operation, access }] : [],
    );
    expect(opened.length).toBeGreaterThan(0);
    for (const { operation, access } of opened)
      expect([operation, grantorRoles.get(access.permission)]).toEqual([operation, access.roles]);
  });
});
