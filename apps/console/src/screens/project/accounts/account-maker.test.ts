import { describe, expect, it } from "@jest/globals";
import type { IkgAdmin } from "@ikg/client";
import { type AccountFields, AccountMaker } from "./account-maker.ts";

const fields: AccountFields = {
  name: "ci",
  description: "",
  role: "editor",
  projectId: "gid:p",
  token: { expire_time: "2027-01-01T00:00:00Z" },
};

/** A suite that records what is made, and refuses once what `refused` names. */
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

const made = [
  ["account", { name: "ci" }],
  ["role", { subject: { service_account_id: "gid:a" }, role: "editor", project_id: "gid:p" }],
  ["token", { service_account_id: "gid:a", expire_time: "2027-01-01T00:00:00Z" }],
];

describe("a new service account", () => {
  it("has a role and a token", async () => {
    const { calls, admin } = suite();
    expect(await new AccountMaker().make(admin, fields)).toMatchObject({ secret: "secret" });
    expect(calls).toEqual(made);
  });

  it.each(["account", "role", "token"])("is made once where its %s is refused at first", async (refused) => {
    const { calls, admin } = suite(refused);
    const maker = new AccountMaker();
    await expect(maker.make(admin, fields)).rejects.toThrow(`no ${refused}`);
    expect([maker.account !== undefined, maker.hasRole]).toEqual([
      refused !== "account",
      refused === "token",
    ]);
    await maker.make(admin, fields);
    expect(calls).toEqual(made);
  });

  it("has its role in every project where none is named", async () => {
    const { calls, admin } = suite();
    await new AccountMaker().make(admin, { ...fields, projectId: undefined });
    expect(calls[1]).toEqual(["role", { subject: { service_account_id: "gid:a" }, role: "editor" }]);
  });
});
