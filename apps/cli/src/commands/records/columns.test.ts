import { expect, it } from "@jest/globals";
import { columnsOf } from "./columns.ts";

it("a list of role bindings says whose role it is, and over what", () => {
  const records = [
    { id: "gid:1", role: "owner", subject: { service_account_id: "gid:account" } },
    {
      id: "gid:2",
      role: "viewer",
      subject: { claim: "groups", value: "security" },
      project_id: "gid:project",
    },
  ];
  const columns = columnsOf(records);
  expect(columns.map(({ header }) => header)).toEqual(["ROLE", "SUBJECT", "OVER", "ID"]);
  expect(records.map((record) => columns.map(({ value }) => value(record)))).toEqual([
    ["owner", "gid:account", "organization", "gid:1"],
    ["viewer", "groups: security", "gid:project", "gid:2"],
  ]);
});
