import { describe, expect, it } from "@jest/globals";
import { newGid } from "@ikg/contracts";
import { putCiq, putPolicy, putQuery, remove, threePuts } from "./changes-under-test.ts";
import { changes, configs, list, policyBody, tenant, type Page, useProject } from "./project-under-test.ts";

useProject();

describe("a revert", () => {
  it("is a conflict where others changed a record since, which it names; force overrides", async () => {
    await changes.apply(threePuts);
    const first = await changes.texts();
    const change = await changes.apply([
      putPolicy("kept", {}, { status: "INACTIVE" }),
      remove("knowledge-queries", "loans"),
      putPolicy("created"),
      putPolicy("also-created"),
    ]);
    await changes.apply([
      putPolicy("kept", {}, { status: "DRAFT" }),
      putQuery("loans", "lending", {}, { status: "INACTIVE" }),
      remove("authorization-policies", "created"),
    ]);
    const answer = await tenant.send("POST", `/changes/${change.id}/revert`, {});
    expect(answer.status).toBe(409);
    expect(answer.body.errors).toEqual([
      "changes[0].if_version: authorization policy kept has version 3, 2 expected",
      "changes[1].if_version: knowledge query loans has version 1, 0 expected",
      "changes[2].if_version: authorization policy created does not exist (version 0), 1 expected",
    ]);
    await changes.revert(change.id, { force: true });
    expect(await changes.texts()).toEqual(first);
  });

  it("undoes a single call as well", async () => {
    const made = await tenant.make("/authorization-policies", policyBody("single"));
    const first = await changes.texts();
    await tenant.send("DELETE", `/authorization-policies/${made.id}`);
    const [deletion] = (await list()).items;
    await changes.revert(deletion?.id ?? "");
    expect(await changes.texts()).toEqual(first);
  });
});

describe("versions of a record", () => {
  it("are listed newest first with their change records, and outlive the record", async () => {
    const first = await changes.apply([putPolicy("one")]);
    const second = await changes.apply([putPolicy("one", {}, { status: "DRAFT" })]);
    const id = first.changes[0]?.id ?? "";
    const versions = async (query = "") => {
      const answer = await tenant.send("GET", `/authorization-policies/${id}/versions${query}`);
      return answer.body as unknown as Page;
    };
    const both = [
      { version: 2, change_id: second.id, created_by: tenant.account, create_time: expect.any(String) },
      { version: 1, change_id: first.id, created_by: tenant.account, create_time: expect.any(String) },
    ];
    expect(await versions()).toEqual({ items: both, has_more: false, next_cursor: "" });
    const page = await versions("?pagesize=1");
    expect(page).toMatchObject({ items: both.slice(0, 1), has_more: true });
    expect(await versions(`?pagesize=1&cursor=${page.next_cursor}`)).toMatchObject({
      items: both.slice(1),
      has_more: false,
    });
    await changes.apply([remove("authorization-policies", "one")]);
    expect((await versions()).items).toEqual(both);
    const path = `/authorization-policies/${newGid("authorization_policy")}/versions`;
    expect((await tenant.send("GET", path)).status).toBe(404);
    const stranger = await configs.tenant();
    expect((await stranger.send("GET", `/authorization-policies/${id}/versions`)).status).toBe(404);
  });

  it("come back by a rollback, as a new version, by the rules of today", async () => {
    await changes.apply([putCiq("lending"), putCiq("other")]);
    const full = { description: "first", display_name: "First" };
    const made = await changes.apply([putQuery("loans", "lending", {}, full)]);
    await changes.apply([
      putQuery("loans", "other", {}, { description: "", display_name: "Second", status: "INACTIVE" }),
    ]);
    const id = made.changes[0]?.id ?? "";
    const path = `/knowledge-queries/${id}`;
    const stale = await tenant.send("POST", `${path}/rollback`, { version: 1 }, { "if-match": `"stale"` });
    expect(stale.status).toBe(412);
    const now = await tenant.send("GET", path);
    const etag = now.headers.get("etag") ?? "";
    const answer = await tenant.send(
      "POST",
      `${path}/rollback`,
      { version: 1, message: "was better" },
      { "if-match": etag },
    );
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.body).toMatchObject({ ...full, status: "ACTIVE" });
    const policy = await tenant.send("GET", `/authorization-policies/${String(answer.body["policy_id"])}`);
    expect(policy.body["name"]).toBe("lending");
    expect((await list()).items[0]).toMatchObject({
      message: "was better",
      changes: [{ name: "loans", from_version: 2, to_version: 3 }],
    });
    expect((await tenant.send("POST", `${path}/rollback`, { version: 9 })).status).toBe(422);
    expect((await tenant.send("POST", `${path}/rollback`, {})).status).toBe(422);
    // The policy of version 2 is gone, and so is what that version could be.
    await changes.apply([remove("authorization-policies", "other")]);
    expect((await tenant.send("POST", `${path}/rollback`, { version: 2 })).status).toBe(404);
  });
});
