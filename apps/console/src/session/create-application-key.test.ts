import { afterEach, describe, expect, it } from "@jest/globals";
import type { Administrator, IkgAdmin } from "@ikg/client";
import { createApplicationKey } from "./create-application-key.ts";
import { requestPurpose } from "./key-purpose.ts";
import { sessionStore } from "./session-store.ts";

const administrator = (id: string): Administrator => ({
  type: "service_account",
  id,
  name: "ops",
  organization_id: "gid:o",
  roles: [{ role: "owner" }],
});

/** A suite that has the agent, and calls `onCreate` before it answers with a key. */
const suite = (onCreate: () => void) => {
  const deleted: string[] = [];
  const admin = {
    agents: { get: async () => ({ id: "gid:agent" }) },
    agentCredentials: {
      create: async () => {
        onCreate();
        return { id: "gid:key", application_agent_config: { token: "secret" } };
      },
      delete: async (id: string) => void deleted.push(id),
    },
  };
  return { deleted, admin: admin as unknown as IkgAdmin }; // the operations that are called
};

const { keys } = requestPurpose;

afterEach(() => {
  keys.clear();
  sessionStore.signOut();
});

describe("a key that the console creates", () => {
  it("is kept for its project, also where the session has expired", async () => {
    sessionStore.signIn({ token: "t", administrator: administrator("gid:a") });
    const { admin, deleted } = suite(() => sessionStore.expire("t"));
    await createApplicationKey(admin, "gid:p", requestPurpose);
    expect(keys.get("gid:p")).toMatchObject({ key: "secret", credential: { credentialId: "gid:key" } });
    expect(deleted).toEqual([]);
  });

  it.each([
    ["signed out", () => sessionStore.signOut()],
    [
      "been followed by another one",
      () => sessionStore.signIn({ token: "u", administrator: administrator("gid:b") }),
    ],
  ])("is removed where its administrator has %s meanwhile", async (_what, onCreate) => {
    sessionStore.signIn({ token: "t", administrator: administrator("gid:a") });
    const { admin, deleted } = suite(onCreate);
    await createApplicationKey(admin, "gid:p", requestPurpose);
    expect(keys.get("gid:p")).toBeUndefined();
    expect(deleted).toEqual(["gid:key"]);
  });
});
