import { describe, expect, it } from "@jest/globals";
import { newGid } from "@ikg/contracts";
import { eventually } from "../../../../stack/src/testing/eventually.ts";
import { freshName } from "../tenant.ts";
import { ciqText, kbacText, queryText } from "../policy-texts.ts";
import { openRetention } from "../../src/history/retention.ts";
import { changesOf, putPolicy } from "./changes-under-test.ts";
import {
  changes,
  configs,
  list,
  policyBody,
  project,
  tenant,
  type Page,
  useProject,
} from "./project-under-test.ts";

useProject();

const one = async (id: string) => {
  const answer = await tenant.send("GET", `/changes/${id}`);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body as unknown as {
    readonly changes: readonly { readonly before?: object; readonly after?: object }[];
  };
};

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

  it("have the texts before and after, also of records that are gone", async () => {
    const ciq = await tenant.make("/authorization-policies", { ...policyBody("lending"), policy: ciqText() });
    const query = await tenant.make("/knowledge-queries", {
      project_id: project,
      name: "loans",
      status: "ACTIVE",
      policy_id: ciq.id,
      query: queryText(),
      description: "What is lent",
    });
    await tenant.send("DELETE", `/knowledge-queries/${query.id}`);
    const [deletion] = (await list()).items;
    const after = { query: queryText(), status: "ACTIVE", policy: "lending", description: "What is lent" };
    const read = await one(deletion?.id ?? "");
    expect(read.changes).toEqual([expect.objectContaining({ id: query.id, op: "delete", before: after })]);
    expect(read.changes[0]).not.toHaveProperty("after");
  });

  it("are read by viewers of their organization alone", async () => {
    const { id } = await changes.apply([putPolicy("mine")]);
    const viewer = tenant.as("all_viewer");
    expect((await viewer.send("GET", `/changes/${id}`)).status).toBe(200);
    expect((await list("", viewer)).items).toHaveLength(1);
    expect((await viewer.send("POST", `/changes/${id}/revert`, {})).status).toBe(403);
    const stranger = await configs.tenant();
    expect((await stranger.send("GET", `/changes/${id}`)).status).toBe(404);
    expect((await stranger.send("GET", `/changes?project_id=${project}`)).status).toBe(404);
    expect((await stranger.send("POST", `/changes/${id}/revert`, {})).status).toBe(404);
    expect((await tenant.send("GET", `/changes/${newGid("change")}`)).status).toBe(404);
    expect((await tenant.send("GET", "/changes/none")).status).toBe(404);
  });

  it("give way to newer ones beyond the limit of their project", async () => {
    const limited = await tenant.make("/projects", {
      organization_id: tenant.organization,
      name: freshName(),
      limits: { change_bytes: 3_000 },
    });
    const own = changesOf(tenant, limited.id);
    for (let turn = 0; turn < 8; turn++)
      await own.apply([putPolicy("one", {}, { description: `turn ${turn}` })]);
    const answer = await tenant.send("GET", `/changes?project_id=${limited.id}`);
    const { items } = answer.body as unknown as Page;
    expect(items.length).toBeGreaterThan(1);
    expect(items.length).toBeLessThan(6);
    expect(items[0]?.changes[0]?.to_version).toBe(8);
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
