import { describe, expect, it } from "@jest/globals";
import type { IkgAdmin } from "@ikg/client";
import { AccountCreation, type AccountFields } from "./account-creation.ts";

const fields: AccountFields = {
  name: "ci",
  description: "",
  role: "editor",
  projectId: "gid:p",
  token: { expire_time: "2027-01-01T00:00:00Z" },
};

/** A suite that records what is created, and refuses once what `refused` names. */
const suite = (refused?: string) => {
  const calls: (readonly [string, object])[] = [];
  let isRefused = refused !== undefined;
  const collection = (name: string, answer: object) => ({
    create: async (body: object) => {
      if (name === refused && isRefused) {
        isRefused = false;
        throw new Error(`no ${name}`);
      }
      calls.push([name, body]);
      return answer;
    },
  });
  const admin = {
    serviceAccounts: collection("account", { id: "gid:a", name: "ci" }),
    roleBindings: collection("role", {}),
    serviceAccountCredentials: collection("token", { service_account_config: { token: "secret" } }),
  };
  return { calls, admin: admin as unknown as IkgAdmin }; // what is used of it
};

const created = [
  ["account", { name: "ci" }],
  ["role", { subject: { service_account_id: "gid:a" }, role: "editor", project_id: "gid:p" }],
  ["token", { service_account_id: "gid:a", expire_time: "2027-01-01T00:00:00Z" }],
];

describe("a new service account", () => {
  it("has a role and a token", async () => {
    const { calls, admin } = suite();
    expect(await new AccountCreation().create(admin, fields)).toMatchObject({ secret: "secret" });
    expect(calls).toEqual(created);
  });

  it.each(["account", "role", "token"])(
    "is created once where its %s is refused at first",
    async (refused) => {
      const { calls, admin } = suite(refused);
      const creation = new AccountCreation();
      await expect(creation.create(admin, fields)).rejects.toThrow(`no ${refused}`);
      expect([creation.account !== undefined, creation.hasRole]).toEqual([
        refused !== "account",
        refused === "token",
      ]);
      await creation.create(admin, fields);
      expect(calls).toEqual(created);
    },
  );

  it("has its role in every project where none is named", async () => {
    const { calls, admin } = suite();
    await new AccountCreation().create(admin, { ...fields, projectId: undefined });
    expect(calls[1]).toEqual(["role", { subject: { service_account_id: "gid:a" }, role: "editor" }]);
  });
});
