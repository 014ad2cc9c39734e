import { describe, expect, it } from "@jest/globals";
import { newGid } from "@ikg/contracts";
import { isLongRun } from "../../../../stack/src/testing/test-environment.ts";
import { kbacText } from "../policy-texts.ts";
import { changesOf, putCiq, putPolicy, putQuery, remove } from "./changes-under-test.ts";
import { byName, changes, configs, project, tenant, useProject } from "./project-under-test.ts";

useProject();

describe("a change set", () => {
  it("creates, replaces and deletes by name, in one change record", async () => {
    const first = await changes.apply([putPolicy("pa"), putPolicy("pb", { if_version: 0 })], {
      message: "first",
    });
    expect(first).toMatchObject({
      id: expect.stringMatching(/^gid:/),
      project_id: project,
      created_by: tenant.account,
      message: "first",
      changes: [
        { collection: "authorization-policies", name: "pa", op: "put", from_version: 0, to_version: 1 },
        { name: "pb", from_version: 0, to_version: 1 },
      ],
      unchanged: [],
    });
    const second = await changes.apply([
      putPolicy("pa", { if_version: 1 }, { status: "INACTIVE" }),
      remove("authorization-policies", "pb", { if_version: 1 }),
      putPolicy("pc", {}, { policy: kbacText("DRIVE") }),
    ]);
    expect(second.changes).toMatchObject([
      { name: "pa", op: "put", from_version: 1, to_version: 2, id: first.changes[0]?.id },
      { name: "pb", op: "delete", from_version: 1, to_version: 0, id: first.changes[1]?.id },
      { name: "pc", op: "put", from_version: 0, to_version: 1 },
    ]);
    expect((await byName("authorization-policies", "pa")).body).toMatchObject({ status: "INACTIVE" });
    expect((await byName("authorization-policies", "pb")).status).toBe(404);
    expect((await byName("authorization-policies", "pc")).body["policy"]).toBe(kbacText("DRIVE"));
    await expect(configs.changesOf(String(first.changes[1]?.id), 2)).resolves.toMatchObject([
      { action: "created" },
      { action: "deleted" },
    ]);
  });

  it("names every fault of every change, and does nothing", async () => {
    await changes.apply([putCiq("lending"), putQuery("loans", "lending")]);
    const before = await changes.texts();
    const noPattern = JSON.parse(kbacText()) as object;
    const answer = await changes.send([
      putPolicy("fine"),
      putPolicy("wrong", {}, { policy: { ...noPattern, condition: { cypher: "MATCH (subject:Person" } } }),
      putQuery("orphan", "nowhere"),
      remove("authorization-policies", "lending"),
      remove("knowledge-queries", "unknown"),
      putQuery("kbac", "fine"),
    ]);
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toEqual([
      expect.stringMatching(/^changes\[1\]\.policy\.condition\.cypher: /),
      "changes[2].record.policy: no such policy exists after the changes",
      "changes[3].name: used by knowledge query loans",
      "changes[4].name: there is no knowledge query of this name",
      "changes[5].policy_id: CIQ policy expected",
    ]);
    expect(await changes.texts()).toEqual(before);
  });

  it("is refused when a record is not of the version that is expected, naming record and versions", async () => {
    await changes.apply([putPolicy("pa"), putPolicy("pb")]);
    await changes.apply([putPolicy("pa", {}, { status: "INACTIVE" })]);
    const answer = await changes.send([
      putPolicy("pa", { if_version: 1 }),
      putPolicy("pb", { if_version: 0 }),
      putPolicy("pc", { if_version: 3 }),
    ]);
    expect(answer.status).toBe(409);
    expect(answer.body.errors).toEqual([
      "changes[0].if_version: authorization policy pa has version 2, 1 expected",
      "changes[1].if_version: authorization policy pb has version 1, 0 expected",
      "changes[2].if_version: authorization policy pc does not exist (version 0), 3 expected",
    ]);
  });

  it("knows no project of others, and no policy of another project", async () => {
    const other = await tenant.project();
    const policy = await tenant.make("/authorization-policies", {
      project_id: other.id,
      name: "theirs",
      status: "ACTIVE",
      policy: kbacText(),
    });
    const { policy: _policy, ...record } = putQuery("pq", "px").record;
    const set = [{ ...putQuery("pq", "px"), record: { ...record, policy_id: policy.id } }];
    expect((await changes.send(set)).body.errors).toEqual([
      "changes[0].record.policy_id: no such policy exists after the changes",
    ]);
    const stranger = await configs.tenant();
    expect((await changesOf(stranger, project).send([putPolicy("pa")])).status).toBe(404);
    expect((await changesOf(tenant, newGid("project")).send([putPolicy("pa")])).status).toBe(404);
  });

  it("is applied by editors, and only tried by viewers", async () => {
    const viewer = changesOf(tenant.as("all_viewer"), project);
    expect((await viewer.send([putPolicy("pa")])).status).toBe(403);
    expect((await viewer.send([putPolicy("pa")], {}, "?dry_run=false")).status).toBe(403);
    expect((await viewer.send([putPolicy("pa")], {}, "?dry_run=true")).status).toBe(200);
    expect(await changes.texts()).toEqual({});
  });
});

describe("change sets at the same time", () => {
  it("that overlap: one wins, and the other hears of each record", async () => {
    const names = Array.from({ length: isLongRun() ? 10 : 3 }, (_, index) => `p-${index}`);
    await changes.apply(names.map((name) => putPolicy(name)));
    const setOf = (status: string, order: readonly string[]) =>
      order.map((name) => putPolicy(name, { if_version: 1 }, { status }));
    const answers = await Promise.all([
      changes.send(setOf("INACTIVE", names)),
      changes.send(setOf("DRAFT", names.toReversed())),
    ]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    const loser = answers.find(({ status }) => status === 409);
    expect(loser?.body.errors).toHaveLength(names.length);
    for (const name of names)
      expect(loser?.body.errors).toContainEqual(
        expect.stringContaining(`authorization policy ${name} has version 2, 1 expected`),
      );
  });
});
