import { describe, expect, it } from "@jest/globals";
import { newGid } from "@ikg/contracts";
import { eventually } from "../../../../stack/src/testing/eventually.ts";
import { isLongRun } from "../../../../stack/src/testing/test-environment.ts";
import { kbacText } from "../policy-texts.ts";
import { openRetention } from "../../src/history/retention.ts";
import { putPolicy, remove, threePuts } from "./changes-under-test.ts";
import { changes, configs, list, policyBody, project, tenant, useProject } from "./project-under-test.ts";

useProject();

describe("change records", () => {
  it("are made of single calls, too, and listed newest first in pages", async () => {
    const made = await tenant.make("/authorization-policies", policyBody("single"));
    await tenant.send("PUT", `/authorization-policies/${made.id}`, { policy: kbacText(), status: "DRAFT" });
    await tenant.send("DELETE", `/authorization-policies/${made.id}`);
    await changes.apply([putPolicy("in-set")], { message: "a set" });
    const all = await list();
    expect(all).toMatchObject({
      has_more: false,
      next_cursor: "",
      items: [
        { message: "a set", changes: [{ name: "in-set", op: "put", from_version: 0, to_version: 1 }] },
        { changes: [{ id: made.id, name: "single", op: "delete", from_version: 2, to_version: 0 }] },
        { changes: [{ id: made.id, name: "single", op: "put", from_version: 1, to_version: 2 }] },
        { changes: [{ id: made.id, name: "single", op: "put", from_version: 0, to_version: 1 }] },
      ],
    });
    const first = await list("&pagesize=3");
    expect(first.items).toEqual(all.items.slice(0, 3));
    expect(first.has_more).toBe(true);
    const second = await list(`&pagesize=3&cursor=${first.next_cursor}`);
    expect(second).toEqual({ items: all.items.slice(3), has_more: false, next_cursor: "" });
    expect((await tenant.send("GET", `/changes?project_id=${project}&cursor=abc`)).status).toBe(400);
  });

  it("are read by viewers of their organization alone", async () => {
    const { id, changes: made } = await changes.apply([putPolicy("mine")]);
    const viewer = tenant.as("all_viewer");
    expect((await viewer.send("GET", `/changes/${id}`)).status).toBe(200);
    expect((await list("", viewer)).items).toHaveLength(1);
    expect((await viewer.send("POST", `/changes/${id}/revert`, {})).status).toBe(403);
    const stranger = await configs.tenant();
    expect((await stranger.send("GET", `/changes/${id}`)).status).toBe(404);
    expect((await stranger.send("GET", `/changes?project_id=${project}`)).status).toBe(404);
    expect((await stranger.send("POST", `/changes/${id}/revert`, {})).status).toBe(404);
    const versions = `/authorization-policies/${made[0]?.id}/versions`;
    expect((await viewer.send("GET", versions)).status).toBe(200);
    expect((await stranger.send("GET", versions)).status).toBe(404);
    expect((await tenant.send("GET", `/changes/${newGid("change")}`)).status).toBe(404);
    expect((await tenant.send("GET", "/changes/none")).status).toBe(404);
  });
});

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
    if (isLongRun()) {
      await changes.revert(again.id);
      expect(await changes.texts()).toEqual(first);
    }
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

describe("the retention of change records", () => {
  it("removes those that are too old, with their texts, and those of projects that are gone", async () => {
    const kept = await changes.apply([putPolicy("kept")]);
    const [old, orphan] = [newGid("change"), newGid("change")];
    const write = (id: string, projectId: string, time: string) =>
      configs.graph.shared.write(
        (tx) =>
          tx.run(
            "CREATE (:_ChangeEntry {record_id: $id})-[:_ENTRY_OF]->(:_Change {id: $id, key: $id, project_id: $projectId, organization_id: $organization, create_time: $time})",
            { id, projectId, time, organization: tenant.organization },
          ),
        { timeoutMs: 60_000 },
      );
    await write(old, project, "2020-01-01T00:00:00.000Z");
    await write(orphan, newGid("project"), new Date().toISOString());
    const retention = openRetention({
      database: configs.graph.shared,
      log: { warn: () => undefined },
      now: () => new Date(),
      days: 400,
    });
    retention.start();
    const left = async (): Promise<unknown> => {
      const [row] = await configs.graph.shared.read(
        "OPTIONAL MATCH (e:_ChangeEntry) WHERE e.record_id IN $ids RETURN count(e) AS entries",
        { ids: [old, orphan] },
        { timeoutMs: 60_000 },
      );
      return row?.["entries"];
    };
    try {
      await eventually(left, (entries) => entries === 0, { withinMs: 30_000, everyMs: 100 });
    } finally {
      await retention.close();
    }
    expect((await tenant.send("GET", `/changes/${kept.id}`)).status).toBe(200);
    expect((await tenant.send("GET", `/changes/${old}`)).status).toBe(404);
  });
});
