import { describe, expect, it } from "@jest/globals";
import type { RoleBindingRecord, ServiceAccountRecord } from "@ikg/client";
import { administratorRows } from "./administrator-rows.ts";

const binding = (id: string, fields: Partial<RoleBindingRecord>): RoleBindingRecord => ({
  id,
  organization_id: "gid:o",
  role: "editor",
  create_time: "2026-01-01T00:00:00Z",
  created_by: "gid:s",
  subject: { service_account_id: "gid:known" },
  ...fields,
});
const account = (id: string, fields: object) =>
  ({ id, name: id.slice(4), create_time: "2026-01-02T00:00:00Z", ...fields }) as ServiceAccountRecord;

describe("who administers", () => {
  it("are accounts by name, people by claim, and accounts with a role of their own", () => {
    const rows = administratorRows(
      [
        binding("b1", {}),
        binding("b2", { project_id: "gid:p", subject: { service_account_id: "gid:unknown" } }),
        binding("b3", {
          project_id: "gid:p",
          role: "auditor",
          subject: { claim: "groups", value: "security" },
        }),
      ],
      [
        account("gid:known", {}),
        account("gid:root", { role: "all_editor" }),
        account("gid:look", { role: "all_viewer" }),
      ],
    );
    expect(rows.map(({ who, role, isOverOrganization }) => [who, role, isOverOrganization])).toEqual([
      ["gid:unknown", "editor", false],
      ["groups = security", "auditor", false],
      ["known", "editor", true],
      ["root", "owner", true],
      ["look", "all_viewer", true],
    ]);
    expect(rows.map(({ binding: of }) => of?.id)).toEqual(["b2", "b3", "b1", undefined, undefined]);
  });
});
