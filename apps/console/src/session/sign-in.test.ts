import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import type { Administrator } from "@ikg/client";
import { queryClient } from "../app/query-client.ts";
import { sessionStore } from "./session-store.ts";
import { signIn, signOut } from "./sign-in.ts";

const accountResponse = (id: string): Response => {
  const administrator: Administrator = {
    type: "service_account",
    id,
    name: id,
    organization_id: "gid:o",
    roles: [{ role: "owner" }],
  };
  return Response.json(administrator);
};

const { fetch } = globalThis;
let respond: () => Promise<Response>;

beforeEach(() => {
  Object.assign(globalThis, {
    document: { baseURI: "https://ikg.example/console/" },
    fetch: () => respond(),
  });
});
afterEach(() => {
  signOut();
  Reflect.deleteProperty(globalThis, "document");
  Object.assign(globalThis, { fetch });
});

const signInAs = (id: string): Promise<void> => {
  respond = async () => accountResponse(id);
  return signIn(`token of ${id}`, false);
};

describe("a sign-in after the session has expired", () => {
  it.each([
    ["keeps what was read by the same administrator", "gid:a", "read"],
    ["drops what another administrator has read", "gid:b", undefined],
  ])("%s", async (_what, next, expected) => {
    await signInAs("gid:a");
    queryClient.setQueryData(["records"], "read");
    sessionStore.expire("token of gid:a");
    await signInAs(next);
    expect(queryClient.getQueryData(["records"])).toBe(expected);
  });

  it.each([
    ["signing out", async () => signOut(), "signed_out"],
    ["another sign-in", () => signInAs("gid:b"), "signed_in"],
  ])("does not count after %s", async (_what, change, status) => {
    await signInAs("gid:a");
    sessionStore.expire("token of gid:a");
    const response = Promise.withResolvers<Response>();
    respond = () => response.promise;
    const late = signIn("token of gid:c", false);
    await change();
    response.resolve(accountResponse("gid:c"));
    await expect(late).rejects.toThrow("came before");
    const session = sessionStore.get();
    expect(session.status).toBe(status);
    expect(session).not.toMatchObject({ administrator: { id: "gid:c" } });
  });

  it("does not count after it was cancelled", async () => {
    await signInAs("gid:a");
    sessionStore.expire("token of gid:a");
    const cancelling = new AbortController();
    const response = Promise.withResolvers<Response>();
    respond = () => response.promise;
    const late = signIn("token of gid:c", false, cancelling.signal);
    cancelling.abort(new Error("cancelled"));
    response.resolve(accountResponse("gid:c"));
    await expect(late).rejects.toThrow("cancelled");
    expect(sessionStore.get()).toMatchObject({ status: "expired", administrator: { id: "gid:a" } });
  });
});
