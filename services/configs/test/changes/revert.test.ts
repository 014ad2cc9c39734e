import { describe, expect, it } from "@jest/globals";
import { kbacText } from "../policy-texts.ts";
import { putPolicy, remove, threePuts } from "./changes-under-test.ts";
import { changes, tenant, useProject } from "./project-under-test.ts";

useProject();

describe("a revert", () => {
  it("restores what was replaced and deleted, and removes what was created; and again the other way", async () => {
    await changes.apply(threePuts);
    const first = await changes.texts();
    const change = await changes.apply([
      putPolicy("kept", {}, { policy: kbacText("DRIVE"), description: "", display_name: "Now", tags: [] }),
      remove("knowledge-queries", "loans"),
      remove("authorization-policies", "lending"),
      putPolicy("created"),
    ]);
    const second = await changes.texts();
    const reverted = await changes.revert(change.id, { message: "back" });
    expect(reverted).toMatchObject({ reverts: change.id, message: "back" });
    expect(reverted.changes).toMatchObject([
      { name: "kept", from_version: 2, to_version: 3 },
      { name: "loans", from_version: 0, to_version: 1 },
      { name: "lending", from_version: 0, to_version: 1 },
      { name: "created", op: "delete", from_version: 1, to_version: 0 },
    ]);
    expect(await changes.texts()).toEqual(first);
    // A deleted record returns with a new id.
    expect(reverted.changes[2]?.id).not.toBe(change.changes[2]?.id);
    const again = await changes.revert(reverted.id);
    expect(again).toMatchObject({ reverts: reverted.id });
    expect(await changes.texts()).toEqual(second);
    await changes.revert(again.id);
    expect(await changes.texts()).toEqual(first);
  });

  it("is a conflict where a record was changed since, or is another one of the same name and version", async () => {
    const change = await changes.apply([putPolicy("kept"), putPolicy("changed")]);
    await changes.apply([
      remove("authorization-policies", "kept"),
      putPolicy("changed", {}, { status: "INACTIVE" }),
    ]);
    await changes.apply([putPolicy("kept", {}, { status: "DRAFT" })]);
    const now = await changes.texts();
    const answer = await tenant.send("POST", `/changes/${change.id}/revert`, {});
    expect([answer.status, answer.body.errors]).toEqual([
      409,
      [
        "changes[0].if_version: authorization policy kept is another record now, of version 1",
        "changes[1].if_version: authorization policy changed has version 2, 1 expected",
      ],
    ]);
    expect(await changes.texts()).toEqual(now);
  });
});
