import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { type Gid, newGid, newUuid } from "@ikg/contracts";
import { Redis } from "ioredis";
import {
  ciqText,
  type ConfigsUnderTest,
  freshName,
  kbacText,
  queryText,
  required,
  startConfigs,
  type Tenant,
} from "../configs-under-test.ts";
import { writeOutbox } from "../../src/outbox/entry.ts";
import { openRetention } from "../../src/history/retention.ts";
import { type Applied, changesOf, putCiq, putPolicy, putQuery, remove } from "./changes-under-test.ts";

let configs: ConfigsUnderTest;
let tenant: Tenant;
let project: string;
let changes: ReturnType<typeof changesOf>;

beforeAll(async () => {
  configs = await startConfigs();
  tenant = await configs.tenant();
});
beforeEach(async () => {
  project = (await tenant.project()).id;
  changes = changesOf(tenant, project);
});
afterAll(() => configs.close());

interface Listed {
  readonly items: readonly Applied[];
  readonly has_more: boolean;
  readonly next_cursor: string;
}

const list = async (query = "", as = tenant): Promise<Listed> => {
  const answer = await as.send("GET", `/changes?project_id=${project}${query}`);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body as unknown as Listed;
};
const one = async (id: string) => {
  const answer = await tenant.send("GET", `/changes/${id}`);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body as unknown as {
    readonly changes: readonly { readonly before?: object; readonly after?: object }[];
  };
};
const policyBody = (name: string) => ({ project_id: project, name, status: "ACTIVE", policy: kbacText() });

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
    const { items } = answer.body as unknown as Listed;
    expect(items.length).toBeGreaterThan(1);
    expect(items.length).toBeLessThan(6);
    expect(items[0]?.changes[0]?.to_version).toBe(8);
  });
});

describe("a revert", () => {
  const before = [
    putPolicy("kept", {}, { description: "as it was", tags: ["a"] }),
    putCiq("lending"),
    putQuery("loans", "lending", {}, { display_name: "Loans" }),
  ];

  it("restores what was replaced and deleted, and removes what was created; and again the other way", async () => {
    await changes.apply(before);
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

  it("is a conflict where others changed a record since, which it names; force overrides", async () => {
    await changes.apply(before);
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

  it("does not take another record of the same name and version for the one that was changed", async () => {
    const change = await changes.apply([putPolicy("kept")]);
    await changes.apply([remove("authorization-policies", "kept")]);
    await changes.apply([putPolicy("kept", {}, { status: "DRAFT" })]);
    const answer = await tenant.send("POST", `/changes/${change.id}/revert`, {});
    expect(answer.body.errors).toEqual([
      "changes[0].if_version: authorization policy kept is another record now, of version 1",
    ]);
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
      return answer.body as unknown as Listed;
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

describe("an export", () => {
  it("has every record, applies to another project, and names secrets instead of telling them", async () => {
    const full = { description: "all of it", tags: ["a"], display_name: "Kept" };
    await changes.apply([putPolicy("kept", {}, full), putCiq("lending"), putQuery("loans", "lending")]);
    const application = await tenant.make("/applications", { project_id: project, name: "shop" });
    const agent = await tenant.make("/application-agents", {
      application_id: application.id,
      name: "clerk",
      api_permissions: ["Capture"],
    });
    await tenant.make("/application-agent-credentials", { application_agent_id: agent.id });
    await tenant.make("/external-data-resolvers", {
      project_id: project,
      name: "weather",
      url: "https://weather.example/now",
      method: "GET",
      headers: { authorization: ["sentinel-secret"] },
      request_content_type: "JSON",
      response_content_type: "JSON",
      response_selector: ".temperature",
    });
    const answer = await tenant.as("all_viewer").send("GET", `/export?project_id=${project}`);
    expect(answer.status).toBe(200);
    expect(answer.text).not.toContain("sentinel-secret");
    const document = answer.body as unknown as {
      changes: readonly object[];
      records: readonly { collection: string; name: string; record: object }[];
      secrets: readonly object[];
    };
    expect(document.records.map(({ collection, name }) => `${collection}/${name}`)).toEqual([
      expect.stringMatching(/^projects\//),
      "applications/shop",
      "application-agents/clerk",
      "external-data-resolvers/weather",
    ]);
    expect(document.records[2]?.record).toEqual({ application: "shop", api_permissions: ["Capture"] });
    expect(document.secrets).toEqual([
      { collection: "external-data-resolvers", name: "weather", field: "headers" },
      { collection: "application-agent-credentials", name: expect.any(String), field: "token" },
    ]);
    const other = changesOf(tenant, (await tenant.project()).id);
    await other.apply(document.changes);
    const scrub = (texts: object): unknown =>
      JSON.parse(JSON.stringify(texts).replaceAll(/gid:[\w-]+/g, "gid"));
    expect(scrub(await other.texts())).toEqual(scrub(await changes.texts()));
  });
});

describe("what is told of a change", () => {
  it("is stored with it and gone once it is delivered", async () => {
    await changes.apply([putPolicy("told")]);
    const count = async (): Promise<unknown> => {
      const [row] = await configs.graph.shared.read(
        "MATCH (o:_Outbox) WHERE o.organization_id = $organization RETURN count(o) AS waiting",
        { organization: tenant.organization },
        { timeoutMs: 10_000 },
      );
      return row?.["waiting"];
    };
    for (const until = Date.now() + 10_000; (await count()) !== 0 && Date.now() < until;) await wait(50);
    expect(await count()).toBe(0);
  });
});

describe("what a killed process has not told", () => {
  it("is told by another one, with the audit record as it was made", async () => {
    const id = newGid("authorization_policy");
    const record = {
      id: newUuid(),
      time: "2026-01-01T00:00:00.000Z",
      type: "audit.config.update",
      project_id: project,
      actor: { type: "service_account", id: tenant.account },
      outcome: "success",
      data: { kind: "authorization_policy", id },
    } as const;
    const announcement = {
      kind: "authorization_policy",
      id,
      organization_id: tenant.organization,
      project_id: project as Gid,
      action: "updated",
    } as const;
    const redis = new Redis(required("REDIS_URL"));
    try {
      await configs.graph.shared.write(
        (tx) =>
          writeOutbox(
            tx,
            { organizationId: tenant.organization, announcements: [announcement], records: [record] },
            Date.now() - 60_000,
          ),
        { timeoutMs: 60_000 },
      );
      const known = async (): Promise<string> => {
        const waiting = await redis.xrange(`audit:${project}`, "-", "+");
        const stored = await configs.graph.shared.read(
          "MATCH (b:_AuditBatch {project_id: $project}) RETURN b.data AS data",
          { project },
          { timeoutMs: 60_000 },
        );
        return JSON.stringify([waiting, stored]);
      };
      for (const until = Date.now() + 30_000; !(await known()).includes(record.id) && Date.now() < until;)
        await wait(100);
      expect(await known()).toContain(record.id);
      expect(await configs.changesOf(id, 1)).toEqual([announcement]);
    } finally {
      redis.disconnect();
    }
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
    retention.resume();
    const left = async (): Promise<unknown> => {
      const [row] = await configs.graph.shared.read(
        "OPTIONAL MATCH (e:_ChangeEntry) WHERE e.record_id IN $ids RETURN count(e) AS entries",
        { ids: [old, orphan] },
        { timeoutMs: 60_000 },
      );
      return row?.["entries"];
    };
    for (const until = Date.now() + 30_000; (await left()) !== 0 && Date.now() < until;) await wait(100);
    await retention.close();
    expect(await left()).toBe(0);
    expect((await tenant.send("GET", `/changes/${kept.id}`)).status).toBe(200);
    expect((await tenant.send("GET", `/changes/${old}`)).status).toBe(404);
  });
});
