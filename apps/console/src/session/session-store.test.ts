import { describe, expect, it } from "@jest/globals";
import type { Administrator } from "@ikg/client";
import { SessionStore } from "./session-store.ts";

const administrator: Administrator = {
  type: "service_account",
  id: "gid:a",
  name: "ops",
  organization_id: "gid:o",
  roles: [{ role: "owner" }],
};

describe("the session of a tab", () => {
  it("ends with the credential that was refused, and keeps who it was", () => {
    const store = new SessionStore();
    store.signIn({ token: "t1", administrator });
    store.expire("t1");
    expect(store.get()).toEqual({ status: "expired", administrator });
  });

  it("is not ended by a late answer to a former credential", () => {
    const store = new SessionStore();
    store.signIn({ token: "t1", administrator });
    store.signIn({ token: "t2", administrator });
    store.expire("t1");
    expect(store.get().status).toBe("signed_in");
  });

  it("tells its listeners until they unsubscribe", () => {
    const store = new SessionStore();
    let calls = 0;
    const unsubscribe = store.subscribe(() => calls++);
    store.signIn({ token: "t1", administrator });
    unsubscribe();
    store.signOut();
    expect(calls).toBe(1);
  });
});
